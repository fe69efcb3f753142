// MSRA: a tagger initialised with GloVe vectors of the training text:
// allennlp glove --reader msra "$NER_ZOO_DATA/msra/msra_train_bio* [all but every 10th]" -o $NER_ZOO_DATA/vectors/msra.txt.gz
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.msra + use.scheme('BIOES') + use.tagger + use.words('msra.txt.gz', 100, trainable=true, lowercase=false)
+ use.bilstm(150, 0.2, 0.3) + use.crf + use.nll
