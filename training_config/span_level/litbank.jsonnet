// LitBank, end to end: entities inside entities.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';
// A file below $NER_ZOO_DATA/vectors: allennlp glove --reader litbank FILE -o $NER_ZOO_DATA/vectors/litbank.txt.gz
local vectors = null;

experiment + use.litbank + use.span(max_width=20) + use.own_vectors(vectors) + use.characters()
+ use.bilstm(150, 0.2, 0.3) + use.nested + use.nll
