// Cross entropy on EC: spans that the dictionary does not have are O.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';
// A BiLSTM over character vectors, or the name or folder of a Hugging Face encoder: 'bert-base-chinese'.
local encoder = null;

experiment + use.ec + use.span() + use.chinese(encoder) + use.nll
