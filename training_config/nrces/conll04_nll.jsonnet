// Cross-entropy, on the entities of CoNLL04 with some of their annotations forgotten.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// The share of training entities whose annotation is forgotten.
local p = 0.8;

experiment + use.conll04 + use.missing(p) + use.span() + use.english + use.nll
// Cross-entropy needs many epochs before it finds the first entity.
+ { trainer+: { num_epochs: 20, patience: 20 } }
