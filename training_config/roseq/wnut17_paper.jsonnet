// RoSeq on WNUT-17 with the paper's values for the label-aware CRF, the focal loss and adversarial training.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.tweet_words + use.roseq_base + use.roseq_paper
