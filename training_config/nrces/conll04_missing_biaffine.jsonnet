// A biaffine span classifier with cross-entropy on the CoNLL04 entities with some annotations dropped.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// Share of training entities whose annotation is dropped.
local p = 0.8;

experiment + use.conll04 + use.missing(p) + use.span() + use.flat + use.english + use.biaffine() + use.nll
+ { trainer+: { num_epochs: 15, patience: null } }
