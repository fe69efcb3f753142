// A joint model of CoNLL04, tuned by minimum risk training with the cost of both.
local use = import '../lib/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.tuned('conll04_nn') + use.minimum_risk(0, cost='both', num_samples=5, alpha=0.05, mu=0.5)
