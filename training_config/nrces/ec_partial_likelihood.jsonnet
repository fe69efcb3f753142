// Partial CRF on EC: what the dictionary does not have may be anything.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ec_unknown + use.scheme('BIOES') + use.tagger + use.chinese + use.crf
+ use.partial_likelihood()
