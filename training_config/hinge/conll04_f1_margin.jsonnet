// BiLSTM-CRF trained with a smooth margin whose costs F1 itself sets, from the F1 of the likelihood on development data, on the entities of CoNLL04.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll04 + use.glove + use.hinge_tagger + use.f1_margin(0.85)
