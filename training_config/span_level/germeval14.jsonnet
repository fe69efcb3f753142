// GermEval 2014, end to end: nested entities.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// A file in $NER_ZOO_DATA/vectors: allennlp glove --reader germeval14 FILE -o $NER_ZOO_DATA/vectors/germeval14.txt.gz
local vectors = null;

experiment + use.germeval14 + use.span() + use.own_vectors(vectors) + use.characters() + use.bilstm(150, 0.2, 0.3)
+ use.nested + use.nll
