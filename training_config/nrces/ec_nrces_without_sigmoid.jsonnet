// NRCES without the sigmoid: cross entropy on entities and half of the O spans, on EC.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ec + use.span() + use.chinese + use.nrces(w=5, cross_entropy_on='all', robust_on='none')
