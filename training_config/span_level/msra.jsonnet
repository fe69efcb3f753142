// MSRA, end to end: flat entities.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.msra + use.span(max_width=16) + use.chinese + use.flat + use.nll
