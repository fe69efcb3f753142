// GENIA, end to end: nested entities.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// A file in $NER_ZOO_DATA/vectors: allennlp glove --reader genia FILE -o $NER_ZOO_DATA/vectors/genia.txt.gz
local vectors = null;

experiment + use.genia + use.span() + use.own_vectors(vectors) + use.characters() + use.bilstm(150, 0.2, 0.3)
+ use.nested + use.nll
