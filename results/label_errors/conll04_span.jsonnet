// The entities of CoNLL04 by a span classifier, which NRCES needs: it weighs each span by itself.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll04 + use.span() + use.glove + use.more_glove + use.characters(25, [3], 25, highway=0, activation='relu')
+ use.bilstm(100, embedding_dropout=0.3, dropout=0.3) + use.flat + use.nll
+ { dataset_reader+: { type: 'auto' }, trainer+: { num_epochs: 10, patience: null, optimizer+: { lr: 0.002 } } }
