// GermEval 2014: types for given spans, from their own words only, with GloVe vectors of the training text. The metric is typing_accuracy, not F1.
// allennlp glove --reader germeval14 $NER_ZOO_DATA/germeval14/germ.train.iob2 -o $NER_ZOO_DATA/vectors/germeval14.txt.gz
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.germeval14 + use.span() + use.word_vectors('germeval14.txt.gz', 100, trainable=true) + use.typing(200) + use.nll
+ use.moving_average()
