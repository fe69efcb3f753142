// NRCES with the settings for clean annotation on the CoNLL04 entities with all annotations, decoded as the best set of non-overlapping spans.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_clean_nll.jsonnet') + use.nrces(noise=0)
