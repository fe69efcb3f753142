// A joint model of CoNLL04, tuned by minimum risk training with the cost of entities.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.tuned('conll04_nn') + use.strong_risk(cost='entities')
