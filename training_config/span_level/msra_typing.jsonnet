// MSRA: types for given spans, from their own words only, with GloVe vectors of the training text. The metric is typing_accuracy, not F1.
// allennlp glove --reader msra "$NER_ZOO_DATA/msra/msra_train_bio* [all but every 10th]" -o $NER_ZOO_DATA/vectors/msra.txt.gz
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.msra + use.span() + use.word_vectors('msra.txt.gz', 100, trainable=true) + use.typing(200) + use.nll
+ use.moving_average()
