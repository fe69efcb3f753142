// As wnut16_tweets, on WNUT-17.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut16_tweets.jsonnet') + use.wnut17
