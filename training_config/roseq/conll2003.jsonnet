// RoSeq on CoNLL-2003: label-aware CRF, focal loss and adversarial training.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.conll2003 + use.glove + use.roseq_base + use.roseq_lacrf + use.roseq_focal + use.roseq_adversarial
