// BiLSTM-CRF trained with a smooth margin and three times the cost for missed entities on CoNLL-2002 Dutch.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll2002_nl + use.learned_words(50) + use.hinge_tagger + use.priced_margin(3)
