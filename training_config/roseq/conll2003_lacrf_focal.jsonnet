// RoSeq's base with label-aware CRF and focal loss on CoNLL-2003.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.conll2003 + use.glove + use.roseq_base + use.roseq_lacrf + use.roseq_focal
