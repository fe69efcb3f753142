// Entities and relations of CoNLL04, in under a minute of one core.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll04 + use.joint_relation('sentences') + use.glove + use.more_glove
+ use.characters(25, [3], 25, highway=0, activation='relu') + use.bilstm(100, embedding_dropout=0.3, dropout=0.3) + use.crf + use.nll + use.batches(16)
+ {
  // The noisy training file is span_json, dev is as it was published.
  dataset_reader+: { type: 'auto' },
  trainer+: { num_epochs: 10, patience: null, validation_metric: '+entity_f1', optimizer+: { lr: 0.002 } },
}
