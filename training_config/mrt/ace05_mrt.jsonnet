// Minimum risk training on ACE05 with the cost of entities and relations and the learned loss.
local use = import 'ner_zoo/use.libsonnet';

(import 'ace05_nn.jsonnet') + use.minimum_risk(60, cost='both', gamma=true)
