// RoSeq on WNUT-16 without Brown clusters, also trained on the development data, as in the paper: label-aware CRF, focal loss and adversarial
// training.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut16_no_clusters.jsonnet') + use.roseq_lacrf + use.roseq_focal + use.tweet_adversarial() + { trainer+: { num_epochs: 30 } }
