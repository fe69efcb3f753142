// As wnut17_clusters_distilled.jsonnet, and the teacher also reads tweets without labels: see results/unlabelled_text.py.
local use = import 'ner_zoo/use.libsonnet';

local text = std.extVar('NER_ZOO_DATA') + '/text/tweets.txt.gz';
(import 'wnut17_clusters.jsonnet') + use.distilled_from('{run:wnut17_encoder}/model.tar.gz', unlabelled=[text])
