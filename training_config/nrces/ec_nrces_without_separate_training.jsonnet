// NRCES without separate training: the mixed loss on entities too, on EC.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ec + use.span() + use.chinese + use.nrces(w=5, cross_entropy_on='none', robust_on='all')
