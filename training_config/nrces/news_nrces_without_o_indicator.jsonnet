// NRCES without the O indicator: cross entropy on entities, the mixed loss on all, on NEWS.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.news + use.span() + use.chinese + use.nrces(w=5, robust_on='all')
