// Cross-entropy on the CoNLL04 entities with all annotations, decoded as the best set of non-overlapping spans.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_missing_nll.jsonnet') + use.missing(0) + { trainer+: { num_epochs: 12 } }
