// The plain joint model on NYT. Adam, because an epoch is long and few of them are needed.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.nyt + use.joint_relation() + use.words('glove.6B.50d.pruned.txt.gz', 50, trainable=true) + use.characters(50, [2, 3], 25, highway=0, activation='relu')
+ use.bilstm(64) + use.softmax + use.nll + use.scheduled_sampling(k=2) + use.batches(100, in_memory=50000)
+ { trainer+: { num_epochs: 6, patience: 3, grad_norm: 1.0 } }
