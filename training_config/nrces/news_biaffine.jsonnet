// The biaffine span classifier with cross entropy on NEWS.
local experiment = import '../lib/experiment.libsonnet';
local use = import '../lib/use.libsonnet';
// A BiLSTM over character vectors, or the name or folder of a Hugging Face encoder: 'bert-base-chinese'.
local encoder = null;

experiment + use.news + use.span() + use.chinese(encoder) + use.biaffine() + use.nll
