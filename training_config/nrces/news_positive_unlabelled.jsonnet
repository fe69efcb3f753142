// Learning from positive and unlabelled spans on NEWS: spans that the dictionary does not have are O.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.news + use.span() + use.chinese() + use.positive_unlabelled()
