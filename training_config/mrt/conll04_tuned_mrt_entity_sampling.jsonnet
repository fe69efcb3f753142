// Like conll04_tuned_mrt, but with the best relations of each sampled tagging.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.tuned('conll04_nn') + use.strong_risk(gamma=true, sample_relations=false)
