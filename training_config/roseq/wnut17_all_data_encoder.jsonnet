// The same with a frozen pretrained encoder, English and cased, in $NER_ZOO_DATA/encoders.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut17_all_data.jsonnet') + use.frozen_encoder(std.extVar('NER_ZOO_DATA') + '/encoders/english-cased')
+ { trainer+: { num_epochs: 7 } }
