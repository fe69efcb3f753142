// RoSeq's base with label-aware CRF on CoNLL-2002 Spanish.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll2002_es + use.learned_words(50) + use.roseq_base + use.roseq_lacrf
