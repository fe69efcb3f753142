// RoSeq on CoNLL-2003: label-aware CRF, focal loss and adversarial training.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll2003 + use.glove + use.roseq_base + use.roseq_lacrf + use.roseq_focal + use.roseq_adversarial
