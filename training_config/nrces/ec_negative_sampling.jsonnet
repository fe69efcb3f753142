// Negative sampling on EC: spans that the dictionary does not have are O.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.ec + use.span() + use.chinese() + use.negative_sampling()
