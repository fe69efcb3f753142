// The base alone with the margin of wnut16_tweets_roseq.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut16_tweets.jsonnet') + use.priced_margin(3, false_positive=0)
