// The biaffine span classifier with cross entropy on NEWS.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.news + use.span() + use.chinese + use.biaffine() + use.nll
