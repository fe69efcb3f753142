// The plain joint model of CoNLL04, trained on for as long as those that are tuned: what they are to be compared with.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.tuned('conll04_nn')
