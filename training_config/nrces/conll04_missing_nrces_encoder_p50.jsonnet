// NRCES on the CoNLL04 entities with 50% of the annotations dropped, with the settings for that much noise and a frozen English encoder in
// $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';
local p = 0.5;

(import 'conll04_missing_nrces_encoder.jsonnet') + use.missing(p) + use.nrces(noise=p)
