// A joint model of CoNLL04, tuned by minimum risk training with the learned loss alone.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.tuned('conll04_nn') + use.strong_risk(cost='none', gamma=true)
