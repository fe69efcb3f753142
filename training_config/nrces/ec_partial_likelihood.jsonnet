// Partial CRF on EC: what the dictionary does not have may be anything.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';
// A BiLSTM over character vectors, or the name or folder of a Hugging Face encoder: 'bert-base-chinese'.
local encoder = null;

experiment + use.ec_unknown + use.scheme('BIOES') + use.tagger + use.chinese(encoder) + use.crf
+ use.partial_likelihood()
