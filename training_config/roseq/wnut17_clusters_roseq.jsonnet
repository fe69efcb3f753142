// RoSeq on WNUT-17, with Brown clusters of tweet words.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.clustered_tweets + use.roseq_base + use.tweet_roseq
