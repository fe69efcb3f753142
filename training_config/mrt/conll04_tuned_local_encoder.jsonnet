// The joint model of CoNLL04 with a frozen encoder, trained for as many additional epochs as the tuned one: its baseline.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn_encoder.jsonnet') + use.tuned('conll04_nn_encoder')
