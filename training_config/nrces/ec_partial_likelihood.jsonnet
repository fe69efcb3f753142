// Partial CRF on EC: words outside the dictionary may have any tag.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ec_unknown + use.scheme('BIOES') + use.tagger + use.chinese + use.crf
+ use.partial_likelihood()
