// NRCES, on EC.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.ec + use.span() + use.chinese() + use.nrces(w=5)
