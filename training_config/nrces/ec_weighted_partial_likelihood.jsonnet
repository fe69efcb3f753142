// Weighted partial CRF on EC: words outside the dictionary are probably O, unless the model predicts otherwise.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ec_unknown + use.scheme('BIOES') + use.tagger + use.chinese + use.crf
+ use.partial_likelihood(background_weight=0.9, self_weight=1.0)
