// RoSeq's base with focal loss on CoNLL-2003.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll2003 + use.glove + use.roseq_base + use.roseq_focal
