// Cross-entropy on the CoNLL04 entities with all annotations, decoded as the best set of non-overlapping spans.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll04 + use.span() + use.flat + use.english + use.nll + { trainer+: { num_epochs: 12, patience: null } }
