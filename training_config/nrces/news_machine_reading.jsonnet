// Machine reading (BERT-MRC) on NEWS: a question about persons, with the encoder of ec_nll_encoder.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.news + use.span() + use.nll
+ use.machine_reading(std.extVar('NER_ZOO_DATA') + '/encoders/m3e-small', { PER: '找出文本中的人名。' }, warmup=null, epochs=5)
