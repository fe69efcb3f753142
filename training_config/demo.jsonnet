// A BiLSTM-CNN-CRF on the bundled corpus: takes a minute on two cores.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.demo + use.scheme('BIOUL') + use.tagger + use.learned_words(50) + use.characters() + use.bilstm(50) + use.crf + use.nll
+ { trainer+: { num_epochs: 15, patience: 5 } }
