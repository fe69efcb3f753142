// The tagger of wnut17_small.jsonnet, taught by the model of wnut17_encoder.jsonnet: `allennlp compare` trains both.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut17_small.jsonnet') + use.distilled_from('{run:wnut17_encoder}/model.tar.gz', weight=0.9)
