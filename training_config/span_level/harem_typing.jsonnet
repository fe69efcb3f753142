// HAREM: types for given spans, from their own words only, with GloVe vectors of the training text. The metric is typing_accuracy, not F1.
// allennlp glove --reader harem "$NER_ZOO_DATA/harem/ColeccaoDouradaHAREM.txt [all but every 10th]" -o $NER_ZOO_DATA/vectors/harem.txt.gz
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.harem + use.span() + use.word_vectors('harem.txt.gz', 100, trainable=true) + use.typing(200) + use.nll
+ use.moving_average()
