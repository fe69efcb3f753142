// Minimum risk training on CoNLL04 with the learned loss alone.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.minimum_risk(25, cost='none', gamma=true)
