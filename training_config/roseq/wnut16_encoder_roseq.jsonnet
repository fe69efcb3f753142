// RoSeq on WNUT-16 with a frozen pretrained encoder, English and cased, in $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut16_encoder.jsonnet') + use.roseq_lacrf + use.roseq_focal + use.roseq_adversarial
