// Cross entropy on NEWS: spans outside the dictionary are O.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.news + use.span() + use.chinese + use.nll
