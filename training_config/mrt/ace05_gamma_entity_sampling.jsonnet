// Like ace05_gamma, but with the best relations of each sampled tagging.
local use = import 'ner_zoo/use.libsonnet';

(import 'ace05_nn.jsonnet') + use.minimum_risk(60, cost='none', gamma=true, sample_relations=false)
