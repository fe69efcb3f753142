// BiLSTM-CRF trained with the discounted margin on the entities of CoNLL04.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll04 + use.glove + use.hinge_tagger + use.discounted_margin('Org')
