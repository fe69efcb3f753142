// RoSeq's base on WNUT-16 with a frozen pretrained encoder, English and cased, in $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut16_base.jsonnet') + use.frozen_encoder(std.extVar('NER_ZOO_DATA') + '/encoders/english-cased')
+ { trainer+: { num_epochs: 20 } }
