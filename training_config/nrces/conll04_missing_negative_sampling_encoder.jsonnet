// Negative sampling on the CoNLL04 entities with some annotations dropped, with a frozen English encoder in $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_missing_negative_sampling.jsonnet') + use.frozen_encoder(std.extVar('NER_ZOO_DATA') + '/encoders/english-cased') + use.bilstm(150, 0.3, 0.4)
