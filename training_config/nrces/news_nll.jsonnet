// Cross entropy on NEWS: spans that the dictionary does not have are O.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.news + use.span() + use.chinese + use.nll
