// ANERcorp, end to end: flat entities.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// A file in $NER_ZOO_DATA/vectors: allennlp glove --reader anercorp FILE -o $NER_ZOO_DATA/vectors/anercorp.txt.gz
local vectors = null;

experiment + use.anercorp + use.span() + use.own_vectors(vectors) + use.characters() + use.bilstm(150, 0.2, 0.3)
+ use.flat + use.nll
