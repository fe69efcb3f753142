// BiLSTM-CRF trained with the discounted margin on CoNLL-2002 Dutch.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll2002_nl + use.learned_words(50) + use.hinge_tagger + use.discounted_margin('ORG')
