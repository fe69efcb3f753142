// The same as conll04_tuned_delta_er, with the outputs drawn without dropout, as in the published code.
local use = import 'ner_zoo/use.libsonnet';

(import 'conll04_nn.jsonnet') + use.tuned('conll04_nn') + use.strong_risk(draw_with_dropout=false)
