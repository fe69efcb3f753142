// As conll04_mrt, with the best relations of each sampled tagging.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.minimum_risk(25, cost='both', gamma=true, sample_relations=false)
