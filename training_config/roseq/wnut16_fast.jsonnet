// RoSeq on WNUT-16 in larger batches for fewer epochs, without fusion, with the published focal loss and a stronger adversarial perturbation.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut16 + use.tweets() + use.roseq_base + use.without_fusion + use.roseq_lacrf + use.tweet_focal + use.tweet_adversarial()
