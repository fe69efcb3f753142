// RoSeq's base on WNUT-16 without Brown clusters, also trained on the development data, as in the paper. No data is left to select an epoch,
// so the number of epochs is fixed, and the weights are averaged.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut16 + use.tweets(12) + use.roseq_base + use.moving_average(0.99)
+ { train_data_path: std.extVar('NER_ZOO_DATA') + '/wnut16/train + dev', validation_data_path:: null }
