// As conll04.jsonnet, with a frozen pretrained encoder, English and cased, in $NER_ZOO_DATA/encoders. Relations are
// learned more slowly than entities: it is trained for longer, and relations choose the epoch.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04.jsonnet') + use.frozen_encoder(std.extVar('NER_ZOO_DATA') + '/encoders/english-cased')
+ { trainer+: { num_epochs: 20, validation_metric: '+relation_f1' } }
