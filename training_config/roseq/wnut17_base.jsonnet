// RoSeq's base on WNUT-17: character CNN, frozen word vectors, BiLSTM, fusion, CRF.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.wnut17 + use.scheme('BIOES') + use.tagger + use.words('glove.6B.50d.pruned.txt.gz', 50) + use.characters()
+ use.bilstm(100, embedding_dropout=0.2, dropout=0.5) + use.fusion(100) + use.crf + use.nll
