// A joint model of CoNLL04, tuned by minimum risk training with the paper's values: two samples, alpha = 1, mu = 1.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.tuned('conll04_nn') + use.minimum_risk(0, gamma=true)
