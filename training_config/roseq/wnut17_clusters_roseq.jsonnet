// RoSeq on WNUT-17, with Brown clusters of tweet words.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.clustered_tweets + use.roseq_base + use.roseq_lacrf + use.roseq_focal + use.tweet_adversarial()
