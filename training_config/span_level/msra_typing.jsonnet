// MSRA: types for spans that are given, from their own words alone. Its figure is typing_accuracy, which is no F1.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.msra + use.span() + use.word_vectors('chinese_chars.100d.tsv', 100, standardise=true) + use.typing(200)
+ use.nll
