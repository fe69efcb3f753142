// BiLSTM-CRF trained with a smooth margin whose costs F1 itself sets, from the F1 of the likelihood on development data, on CoNLL-2002 Dutch.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll2002_nl + use.learned_words(50) + use.hinge_tagger + use.f1_margin(0.72)
