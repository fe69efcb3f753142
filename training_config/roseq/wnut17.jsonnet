// RoSeq on WNUT-17: label-aware CRF, focal loss and adversarial training.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.tweet_words + use.roseq_base + use.roseq_lacrf + use.roseq_focal + use.roseq_adversarial
