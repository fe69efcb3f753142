// RoSeq on CoNLL-2002 Dutch: label-aware CRF, focal loss and adversarial training.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll2002_nl + use.learned_words(50) + use.roseq_base + use.roseq_lacrf + use.roseq_focal + use.roseq_strong_adversarial
