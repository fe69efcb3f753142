// GermEval 2014: types for spans that are given, from their own words alone. Its figure is typing_accuracy, which is no
// F1.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// A file below $NER_ZOO_DATA/vectors: allennlp glove --reader germeval14 FILE -o $NER_ZOO_DATA/vectors/germeval14.txt.gz
local vectors = null;

experiment + use.germeval14 + use.span() + use.own_vectors(vectors) + use.typing(200) + use.nll
