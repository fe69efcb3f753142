// NEREL, end to end, with GloVe vectors of Russian news, 250,002 words in lower case: $NER_ZOO_DATA/vectors/russian.txt.gz, the navec file
// of the package natasha in the text format of GloVe.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.nerel + use.span(batch_size=8) + use.word_vectors('russian.txt.gz', 300, standardise=true) + use.characters()
+ use.bilstm(150, 0.2, 0.3) + use.crossing + use.nll
