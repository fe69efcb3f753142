// A joint model of CoNLL04, tuned by minimum risk training with the learned loss alone.
local use = import '../lib/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.tuned('conll04_nn') + use.minimum_risk(0, cost='none', gamma=true, num_samples=5, alpha=0.05, mu=0.5, rival='other')
