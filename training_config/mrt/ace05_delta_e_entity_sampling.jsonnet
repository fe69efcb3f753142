// Like ace05_delta_e, but with the best relations of each sampled tagging.
local use = import 'ner_zoo/use.libsonnet';

(import 'ace05_nn.jsonnet') + use.minimum_risk(60, cost='entities', sample_relations=false)
