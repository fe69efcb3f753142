// The plain joint model of CoNLL04 with the candidate pairs of the published code: of the gold pairs, only those that are related, with the
// tags of scheduled sampling.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.joint_relation('sentences', gold_pairs='related')
