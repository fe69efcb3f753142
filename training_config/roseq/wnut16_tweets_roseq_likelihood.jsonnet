// RoSeq on WNUT-16 in the same setting: label-aware CRF, focal loss, and a strong adversarial change.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut16_tweets.jsonnet') + use.tweet_roseq
