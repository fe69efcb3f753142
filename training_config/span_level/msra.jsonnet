// MSRA, end to end: flat entities.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.msra + use.span(max_width=16) + use.chinese() + use.flat + use.nll
