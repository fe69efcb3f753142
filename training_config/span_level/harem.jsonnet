// HAREM, end to end: nested entities. Text excluded from the evaluation may have any label.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// A file in $NER_ZOO_DATA/vectors: allennlp glove --reader harem FILE -o $NER_ZOO_DATA/vectors/harem.txt.gz
local vectors = null;

experiment + use.harem + use.span() + use.own_vectors(vectors) + use.characters() + use.bilstm(150, 0.2, 0.3)
+ use.nested + use.partial_likelihood()
