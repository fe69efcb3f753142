// NRCES without random sampling: every O span counts, on EC.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ec + use.span() + use.chinese + use.nrces(w=5, keep=1.0)
