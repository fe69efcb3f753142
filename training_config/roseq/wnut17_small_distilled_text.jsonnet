// As wnut17_small_distilled.jsonnet, and the teacher also labels tweets: see results/unlabelled_text.py.
local use = import 'ner_zoo/use.libsonnet';

local text = std.extVar('NER_ZOO_DATA') + '/text/tweets.txt.gz';
(import 'wnut17_small.jsonnet') + use.distilled_from('{run:wnut17_encoder}/model.tar.gz', weight=0.9, unlabelled=[text])
