// RoSeq on WNUT-16 with the paper's values for the label-aware CRF, the focal loss and adversarial training.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut16 + use.tweet_words + use.roseq_base + use.roseq_paper
