// NRCES without the indicator of O: cross entropy on entities, the mixed loss on all, on EC.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ec + use.span() + use.chinese + use.nrces(w=5, robust_on='all')
