// RoSeq's base on WNUT-17, with Brown clusters of tweet words and a margin with a higher cost for missed entities.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.clustered_tweets + use.roseq_base + use.priced_margin(3)
