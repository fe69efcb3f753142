// RoSeq's base on WNUT-16: character CNN, word vectors, BiLSTM, fusion, CRF.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.wnut16 + use.tweet_words + use.roseq_base
