// A joint model of CoNLL04 with a frozen encoder, tuned by minimum risk training with the cost of entities and relations.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn_encoder.jsonnet') + use.tuned('conll04_nn_encoder') + use.strong_risk()
