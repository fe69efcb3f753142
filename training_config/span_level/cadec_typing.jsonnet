// CADEC: types for given spans, from their own words only, with GloVe vectors of the training text. The metric is typing_accuracy, not F1.
// allennlp glove --reader cadec $NER_ZOO_DATA/cadec/train.json -o $NER_ZOO_DATA/vectors/cadec.txt.gz
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.cadec + use.span() + use.word_vectors('cadec.txt.gz', 100, trainable=true) + use.typing(200) + use.nll
+ use.moving_average()
