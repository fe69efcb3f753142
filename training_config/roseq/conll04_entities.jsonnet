// RoSeq's base on the entities of CoNLL04, with a margin with a higher cost for missed entities.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll04 + use.tweets() + use.roseq_base + use.priced_margin(3)
