// RoSeq on WNUT-17 with Brown clusters, also trained on the development data: label-aware CRF, focal loss, adversarial training, and a
// margin in which only missed and confused entities cost.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut17_all_data.jsonnet') + use.tweet_roseq + use.priced_margin(3, false_positive=0)
+ { trainer+: { num_epochs: 16 } }
