// GENIA, end to end, with GloVe vectors of the training text in addition to those of two files:
// allennlp glove --reader genia $NER_ZOO_DATA/genia/genia.train.iob2 -o $NER_ZOO_DATA/vectors/genia.txt.gz
local use = import 'ner_zoo/use.libsonnet';

(import 'genia.jsonnet') + use.word_vectors('genia.txt.gz', 100, name='own_words')
