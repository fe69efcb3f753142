// The plain joint model on ACE05, with the paper's settings.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ace05 + use.joint_relation() + use.words('glove.6B.50d.pruned.txt.gz', 50, trainable=true) + use.characters(50, [2, 3], 25, highway=0, activation='relu')
+ use.bilstm(64) + use.softmax + use.nll + use.scheduled_sampling() + use.batches(100) + use.adadelta
+ { trainer+: { num_epochs: 100, patience: 20 } }
