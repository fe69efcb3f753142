// LitBank, end to end: nested entities, with the vectors of two GloVe files.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.litbank + use.span(max_width=20) + use.glove + use.more_glove + use.characters()
+ use.bilstm(150, 0.2, 0.3) + use.nested + use.nll
