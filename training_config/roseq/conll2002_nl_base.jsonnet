// RoSeq's base on CoNLL-2002 Dutch: character CNN, word vectors, BiLSTM, fusion, CRF.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll2002_nl + use.learned_words(50) + use.roseq_base
