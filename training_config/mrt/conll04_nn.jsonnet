// The plain joint model on CoNLL04, which is small: a CRF for the entities, a larger BiLSTM, more dropout, frozen vectors from two files.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll04 + use.joint_relation('sentences') + use.glove + use.more_glove + use.characters(50, [2, 3], 25, highway=0, activation='relu')
+ use.bilstm(128, embedding_dropout=0.3) + use.crf + use.nll + use.scheduled_sampling() + use.batches(16)
+ { trainer+: { num_epochs: 30, patience: 12 } }
