// CADEC, end to end, with a frozen English encoder in $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'cadec.jsonnet') + use.frozen_encoder(std.extVar('NER_ZOO_DATA') + '/encoders/english-cased') + use.bilstm(150, 0.3, 0.4)
