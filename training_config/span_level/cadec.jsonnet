// CADEC, end to end: nested, crossing and discontinuous entities.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// A file in $NER_ZOO_DATA/vectors: allennlp glove --reader cadec FILE -o $NER_ZOO_DATA/vectors/cadec.txt.gz
local vectors = null;

experiment + use.cadec + use.span() + use.own_vectors(vectors) + use.characters() + use.bilstm(150, 0.2, 0.3)
+ use.crossing + use.nll
