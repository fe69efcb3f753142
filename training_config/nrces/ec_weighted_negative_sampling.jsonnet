// Weighted negative sampling on EC: spans that the dictionary does not have are O.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ec + use.span() + use.chinese + use.weighted_negative_sampling()
