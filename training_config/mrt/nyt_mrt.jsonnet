// Minimum risk training on NYT with the cost of entities and relations and the learned loss.
local use = import 'ner_zoo/use.libsonnet';

(import 'nyt_nn.jsonnet') + use.minimum_risk(3, cost='both', gamma=true)
