// NEREL, end to end: nested, crossing and discontinuous entities.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// A file in $NER_ZOO_DATA/vectors: allennlp glove --reader nerel FILE -o $NER_ZOO_DATA/vectors/nerel.txt.gz
local vectors = null;

experiment + use.nerel + use.span(batch_size=8) + use.own_vectors(vectors) + use.characters() + use.bilstm(150, 0.2, 0.3)
+ use.crossing + use.nll
