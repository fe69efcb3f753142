// BiLSTM-CRF trained with negative log-likelihood on WNUT-17.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.glove + use.hinge_tagger + use.nll
