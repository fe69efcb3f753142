// The parts of an experiment. Each is an object to add to experiment.libsonnet, in any order:
//
//   local experiment = import 'ner_zoo/experiment.libsonnet';
//   local use = import 'ner_zoo/use.libsonnet';
//
//   experiment + use.wnut17 + use.tagger + use.words('glove.6B.50d.pruned.txt.gz', 50) + use.bilstm(100) + use.crf + use.nll
(import 'corpora.libsonnet')
+ (import 'inputs.libsonnet')
+ (import 'models.libsonnet')
+ (import 'losses.libsonnet')
+ (import 'training.libsonnet')
+ (import 'systems.libsonnet')
