// GENIA: types for given spans, from their own words only, with GloVe vectors of the training text:
// allennlp glove --reader genia $NER_ZOO_DATA/genia/genia.train.iob2 -o $NER_ZOO_DATA/vectors/genia.txt.gz
local use = import 'ner_zoo/use.libsonnet';

(import 'genia_typing.jsonnet') + use.words('genia.txt.gz', 100, trainable=true, lowercase=false)
