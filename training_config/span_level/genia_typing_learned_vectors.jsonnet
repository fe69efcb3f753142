// GENIA: types for given spans, from their own words only, with vectors that are learned with the model.
local use = import 'ner_zoo/use.libsonnet';

(import 'genia_typing.jsonnet') + use.learned_words(100)
