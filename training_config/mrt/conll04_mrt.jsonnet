// Minimum risk training on CoNLL04 with the cost of both and the learned loss.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.minimum_risk(25, cost='both', gamma=true)
