// HAREM, end to end: entities inside entities. What the corpus leaves out of its evaluation may be anything.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// A file below $NER_ZOO_DATA/vectors: allennlp glove --reader harem FILE -o $NER_ZOO_DATA/vectors/harem.txt.gz
local vectors = null;

experiment + use.harem + use.span() + use.own_vectors(vectors) + use.characters() + use.bilstm(150, 0.2, 0.3)
+ use.nested + use.partial_likelihood()
