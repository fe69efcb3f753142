// RoSeq's base on WNUT-17 with Brown clusters and a frozen pretrained encoder, English and cased, in $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut17_clusters.jsonnet') + use.frozen_encoder(std.extVar('NER_ZOO_DATA') + '/encoders/english-cased')
+ { trainer+: { num_epochs: 8 } }
