// RoSeq's base with adversarial training on CoNLL-2003.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';

experiment + use.conll2003 + use.glove + use.roseq_base + use.roseq_adversarial
