// MSRA: a tagger with randomly initialised vectors: the baseline of msra_own_vectors.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.msra + use.scheme('BIOES') + use.tagger + use.words(null, 100, lowercase=false) + use.bilstm(150, 0.2, 0.3)
+ use.crf + use.nll
