// As genia_typing, with a character CNN beside the vectors, for words that have none. The paper reads no letters.
local use = import 'ner_zoo/use.libsonnet';

(import 'genia_typing.jsonnet') + use.characters()
