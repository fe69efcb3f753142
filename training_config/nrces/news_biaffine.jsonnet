// The biaffine span classifier with cross entropy on NEWS.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.news + use.span() + use.chinese() + use.biaffine() + use.nll
