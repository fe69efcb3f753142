// NRCES on NEWS, with a frozen 12-layer Chinese encoder in $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'news_nrces.jsonnet') + use.frozen_encoder(std.extVar('NER_ZOO_DATA') + '/encoders/chinese') + use.bilstm(150, 0.3, 0.4)
+ { trainer+: { num_epochs: 5, patience: null } }
