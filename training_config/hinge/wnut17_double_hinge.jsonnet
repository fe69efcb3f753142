// BiLSTM-CRF trained with the double hinge on WNUT-17.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.glove + use.hinge_tagger + use.double_hinge('corporation')
