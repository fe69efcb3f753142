// NRCES without the sigmoid: cross entropy on entities and half of the O spans, on EC, with a frozen 12-layer Chinese encoder in $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'ec_nrces_frozen_encoder.jsonnet') + use.nrces(w=5, cross_entropy_on='all', robust_on='none')
