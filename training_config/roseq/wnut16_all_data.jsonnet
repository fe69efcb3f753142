// As wnut17_all_data, on WNUT-16.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut17_all_data.jsonnet') + use.wnut16 + {
  train_data_path: std.extVar('NER_ZOO_DATA') + '/wnut16/train + dev',
  validation_data_path:: null,
}
