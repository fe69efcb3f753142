// The biaffine span classifier with cross entropy on EC.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.ec + use.span() + use.chinese() + use.biaffine() + use.nll
