// CADEC, end to end: nested, crossing and discontinuous entities, with the vectors of two GloVe files.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.cadec + use.span(max_width=12) + use.glove + use.more_glove + use.characters() + use.bilstm(150, 0.3, 0.3)
+ use.crossing + use.nll + use.moving_average() + { trainer+: { num_epochs: 15, patience: null } }
