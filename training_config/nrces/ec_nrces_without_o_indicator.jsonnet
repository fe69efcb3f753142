// NRCES without the O indicator: cross entropy on entities, the mixed loss on all, on EC, with a frozen 12-layer Chinese encoder in $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'ec_nrces_frozen_encoder.jsonnet') + use.nrces(w=5, robust_on='all')
