// GENIA, end to end: nested entities, with the vectors of two GloVe files.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.genia + use.span(max_width=12) + use.glove + use.more_glove + use.characters() + use.bilstm(200, 0.3, 0.3)
+ use.nested + use.nll + { trainer+: { num_epochs: 8, patience: null } }
