// Weighted partial CRF on NEWS: what the dictionary does not have is most likely O, unless the model believes else.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.news_unknown + use.scheme('BIOES') + use.tagger + use.chinese + use.crf
+ use.partial_likelihood(background_weight=0.9, self_weight=1.0)
