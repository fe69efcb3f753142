// RoSeq's base with adversarial training on WNUT-16.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut16 + use.tweet_words + use.roseq_base + use.roseq_adversarial
