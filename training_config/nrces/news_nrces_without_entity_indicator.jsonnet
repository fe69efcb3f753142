// NRCES without the entity indicator: cross entropy on all, the mixed loss on O, on NEWS.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.news + use.span() + use.chinese + use.nrces(w=5, cross_entropy_on='all')
