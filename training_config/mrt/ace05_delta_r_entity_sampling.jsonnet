// Like ace05_delta_r, but with the best relations of each sampled tagging.
local use = import 'ner_zoo/use.libsonnet';

(import 'ace05_nn.jsonnet') + use.minimum_risk(60, cost='relations', sample_relations=false)
