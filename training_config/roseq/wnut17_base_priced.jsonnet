// RoSeq's base on WNUT-17 with a margin instead of the likelihood, in which only missed and confused entities cost: for more recall.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut17_base.jsonnet') + use.priced_margin(3, false_positive=0)
