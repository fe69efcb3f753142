// RoSeq's base with focal loss on WNUT-17.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.tweet_words + use.roseq_base + use.roseq_focal
