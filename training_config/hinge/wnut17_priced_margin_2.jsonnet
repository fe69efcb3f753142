// BiLSTM-CRF trained with a smooth margin and twice the cost for missed entities on WNUT-17.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.glove + use.hinge_tagger + use.priced_margin(2)
