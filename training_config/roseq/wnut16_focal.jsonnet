// RoSeq's base with focal loss on WNUT-16.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.wnut16 + use.tweet_words + use.roseq_base + use.roseq_focal
