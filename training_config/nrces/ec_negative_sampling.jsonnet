// Negative sampling on EC: spans outside the dictionary are O.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ec + use.span() + use.chinese + use.negative_sampling()
