// Minimum risk training on ACE05 with the learned loss alone.
local use = import 'ner_zoo/use.libsonnet';

(import 'ace05_nn.jsonnet') + use.minimum_risk(60, cost='none', gamma=true)
