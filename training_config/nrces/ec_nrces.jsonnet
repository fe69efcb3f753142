// NRCES on EC.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ec + use.span() + use.chinese + use.nrces(w=5)
