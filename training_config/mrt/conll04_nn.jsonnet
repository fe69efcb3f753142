// The plain joint model on CoNLL04.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.conll04 + use.joint_relation + use.words('glove.6B.50d.pruned.txt.gz', 50, trainable=true) + use.character_cnn()
+ use.bilstm(64) + use.softmax + use.nll + use.scheduled_sampling() + use.batches(16)
