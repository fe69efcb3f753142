// GENIA: types for given spans, from their own words only, with GloVe vectors of the training text. The metric is typing_accuracy, not F1.
// allennlp glove --reader genia $NER_ZOO_DATA/genia/genia.train.iob2 -o $NER_ZOO_DATA/vectors/genia.txt.gz
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.genia + use.span() + use.word_vectors('genia.txt.gz', 100, trainable=true) + use.typing(200, dropout=0.3)
+ use.nll + use.moving_average()
