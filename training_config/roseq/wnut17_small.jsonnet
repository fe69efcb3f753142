// RoSeq's base on WNUT-17 with one file of word vectors, without orthography and clusters: small and fast.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.glove + use.batches(32) + use.roseq_base
+ { trainer+: { num_epochs: 12, patience: null, optimizer+: { lr: 0.002 } } }
