// MSRA: types for given spans, from their own words only. The metric is typing_accuracy, not F1.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.msra + use.span() + use.word_vectors('chinese_chars.100d.tsv', 100, standardise=true) + use.typing(200)
+ use.nll
