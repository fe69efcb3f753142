// RoSeq's base on CoNLL-2003: character CNN, word vectors, BiLSTM, fusion, CRF.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll2003 + use.glove + use.roseq_base
