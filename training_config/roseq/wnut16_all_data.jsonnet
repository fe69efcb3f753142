// RoSeq's base on WNUT-16 with Brown clusters, also trained on the development data. No data is left to select an epoch, so
// the number of epochs is fixed, and the weights are averaged.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
local folder = '%s/wnut16/' % std.extVar('NER_ZOO_DATA');

experiment + use.wnut16 + use.tweets(10) + use.brown_clusters(dim=10, prefixes=[2, 4, 6, 8, 10, 12, 16]) + use.roseq_base
+ use.moving_average(0.99)
+ { train_data_path: folder + 'train + dev', validation_data_path:: null }
