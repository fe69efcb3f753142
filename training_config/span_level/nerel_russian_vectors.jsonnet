// NEREL, end to end, with GloVe vectors of Russian news (see nerel_typing_russian_vectors) instead of learned ones.
local use = import 'ner_zoo/use.libsonnet';

(import 'nerel.jsonnet') + use.word_vectors('russian.txt.gz', 300, standardise=true)
