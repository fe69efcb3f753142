// Entities of WNUT-17, in about a minute of one core.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.tagger + use.scheme('BIOUL') + use.clustered_tweets + use.characters(25, [3], 25, highway=0, activation='relu')
+ use.bilstm(100, embedding_dropout=0.3, dropout=0.3) + use.crf + use.nll
+ { dataset_reader+: { type: 'auto' }, trainer+: { num_epochs: 6 } }
