// As wnut16_tweets_roseq_likelihood, on WNUT-17.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut16_tweets_roseq_likelihood.jsonnet') + use.wnut17
