// The plain joint model on CoNLL04, which is small: a CRF for the entities, a larger BiLSTM, more dropout.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.conll04 + use.joint_relation('sentences') + use.words('glove.6B.50d.pruned.txt.gz', 50, trainable=true)
+ use.character_cnn() + use.bilstm(128, embedding_dropout=0.3) + use.crf + use.nll + use.scheduled_sampling() + use.batches(16)
+ { trainer+: { num_epochs: 40, patience: 15 } }
