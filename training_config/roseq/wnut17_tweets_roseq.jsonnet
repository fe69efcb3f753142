// As wnut16_tweets_roseq, on WNUT-17.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut16_tweets_roseq.jsonnet') + use.wnut17
