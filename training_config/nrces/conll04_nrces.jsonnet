// NRCES on the CoNLL04 entities with some annotations dropped.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// Share of training entities whose annotation is dropped.
local p = 0.8;

experiment + use.conll04 + use.missing(p) + use.span() + use.english + use.nrces(w=5)
// Cross-entropy takes many epochs to find the first entity.
+ { trainer+: { num_epochs: 20, patience: 20 } }
