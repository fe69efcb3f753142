// RoSeq's base on WNUT-16 with more epochs, larger batches, one vector for rare word shapes, and averaged weights.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut16 + use.tweets(30) + use.roseq_base + use.moving_average(0.99)
