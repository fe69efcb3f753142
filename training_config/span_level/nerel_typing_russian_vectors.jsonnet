// As nerel_typing, with GloVe vectors of Russian news, 250,002 words in lower case, instead of vectors of the corpus:
// $NER_ZOO_DATA/vectors/russian.txt.gz, the navec file of the package natasha in the text format of GloVe.
local use = import 'ner_zoo/use.libsonnet';

(import 'nerel_typing.jsonnet') + use.word_vectors('russian.txt.gz', 300, standardise=true)
