// NRCES with the settings for clean annotation, on the entities of CoNLL04 with all of their annotations, decoded as the best set of spans without overlap.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll04 + use.span() + use.flat + use.english + use.nrces(noise=0) + { trainer+: { num_epochs: 12, patience: null } }
