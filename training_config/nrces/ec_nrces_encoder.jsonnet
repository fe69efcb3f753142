// NRCES on EC, with the encoder of ec_nll_encoder.
local use = import 'ner_zoo/use.libsonnet';

(import 'ec_nrces.jsonnet') + use.encoder(std.extVar('NER_ZOO_DATA') + '/encoders/m3e-small', warmup=null, epochs=5)
