// Partial CRF on NEWS: words outside the dictionary may have any tag.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.news_unknown + use.scheme('BIOES') + use.tagger + use.chinese + use.crf
+ use.partial_likelihood()
