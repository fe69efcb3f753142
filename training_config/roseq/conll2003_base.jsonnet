// RoSeq's base on CoNLL-2003: character CNN, word vectors, BiLSTM, fusion, CRF.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.conll2003 + use.glove + use.roseq_base
