// RoSeq's base on WNUT-17 with Brown clusters, taught by the model of wnut17_encoder.jsonnet: `allennlp compare` trains both.
local use = import 'ner_zoo/use.libsonnet';

(import 'wnut17_clusters.jsonnet') + use.distilled_from('{run:wnut17_encoder}/model.tar.gz')
