// Weighted negative sampling on CoNLL-2003 with missing annotations.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// Share of training entities whose annotation is dropped: 0.5 to 0.9 in the paper.
local p = 0.8;

experiment + use.conll2003 + use.missing(p) + use.span() + use.english + use.weighted_negative_sampling()
