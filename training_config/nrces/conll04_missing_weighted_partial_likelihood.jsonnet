// A weighted partial CRF, for which every token without annotation is unknown, on the CoNLL04 entities with some annotations dropped.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
// Share of training entities whose annotation is dropped.
local p = 0.8;

experiment + use.conll04 + use.missing(p) + use.weak([], uncovered='UNKNOWN') + use.scheme('BIOES') + use.tagger + use.english + use.crf
+ use.partial_likelihood(background_weight=0.9, self_weight=1.0)
+ { trainer+: { num_epochs: 15, patience: null } }
