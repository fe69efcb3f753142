// As wnut16_all_data_roseq, with the likelihood instead of the margin, as in the paper.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut16_all_data_roseq.jsonnet') + use.nll
