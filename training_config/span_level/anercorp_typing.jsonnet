// ANERcorp: types for spans that are given, from their own words alone. Its figure is typing_accuracy, which is no F1.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// A file below $NER_ZOO_DATA/vectors: allennlp glove --reader anercorp FILE -o $NER_ZOO_DATA/vectors/anercorp.txt.gz
local vectors = null;

experiment + use.anercorp + use.span() + use.own_vectors(vectors) + use.typing(200) + use.nll
