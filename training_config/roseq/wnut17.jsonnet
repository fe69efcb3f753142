// RoSeq on WNUT-17: label-aware CRF, focal loss and adversarial training.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.wnut17 + use.tweet_words + use.roseq_base + use.roseq_lacrf + use.roseq_focal + use.roseq_adversarial
