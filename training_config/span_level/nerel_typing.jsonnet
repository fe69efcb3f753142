// NEREL: types for given spans, from their own words only. The metric is typing_accuracy, not F1.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// A file in $NER_ZOO_DATA/vectors: allennlp glove --reader nerel FILE -o $NER_ZOO_DATA/vectors/nerel.txt.gz
local vectors = null;

experiment + use.nerel + use.span() + use.own_vectors(vectors) + use.typing(200) + use.nll
