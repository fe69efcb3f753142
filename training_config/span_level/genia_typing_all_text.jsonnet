// GENIA: types for given spans, from their own words only, with GloVe vectors of the text of all three files, as in the paper. The metric is typing_accuracy, not F1.
// allennlp glove --reader genia $NER_ZOO_DATA/genia/genia.*.iob2 -o $NER_ZOO_DATA/vectors/genia_all_text.txt.gz
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.genia + use.span() + use.words('genia_all_text.txt.gz', 100, trainable=true, lowercase=false) + use.typing(200) + use.nll
