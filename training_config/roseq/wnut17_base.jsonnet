// RoSeq's base on WNUT-17: character CNN, word vectors, BiLSTM, fusion, CRF.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.tweet_words + use.roseq_base
