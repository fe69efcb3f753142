// The plain joint model of CoNLL04, trained for as many additional epochs as the tuned ones: their baseline.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.tuned('conll04_nn')
