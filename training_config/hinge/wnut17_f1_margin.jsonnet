// BiLSTM-CRF trained with a smooth margin whose costs F1 itself sets, from the F1 of the likelihood on development data, on WNUT-17.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.glove + use.hinge_tagger + use.f1_margin(0.48)
