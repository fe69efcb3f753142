// The plain joint model on CoNLL04 with a frozen English encoder in $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.frozen_encoder(std.extVar('NER_ZOO_DATA') + '/encoders/english-cased')
