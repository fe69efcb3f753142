// BiLSTM-CRF trained with the discounted margin on OntoNotes.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.ontonotes + use.word_vectors('crawl-300d-2M.vec', 300, max_unseen_words=300000) + use.elmo() + use.hinge_tagger + use.discounted_margin()
