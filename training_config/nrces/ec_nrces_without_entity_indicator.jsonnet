// NRCES without the entity indicator: cross entropy on all, the mixed loss on O, on EC, with a frozen 12-layer Chinese encoder in $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'ec_nrces_frozen_encoder.jsonnet') + use.nrces(w=5, cross_entropy_on='all')
