// The model that ships with ner_zoo: WNUT-17 with the vectors of frequent words only, to keep it small. `make pretrained`.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.word_vectors('glove.6B.50d.pruned.txt.gz', 50, standardise=true, max_unseen_words=28000)
+ use.orthography(min_count=10) + use.brown_clusters() + use.batches(32) + use.roseq_base + use.priced_margin(3) + {
  trainer+: { num_epochs: 12, patience: null, optimizer+: { lr: 0.002 } },
  callbacks+:: { model_card: {
    type: 'model_card',
    licence: 'CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)',
    description: |||
      A small tagger for tweets and forum posts in English: corporation, creative-work, group, location, person, product. It is meant for
      a first try: it misses more than half of the entities in texts unlike its training data.

      It was trained on the corpus of the WNUT 2017 shared task on novel and emerging entity recognition (Leon Derczynski, Eric Nichols,
      Marieke van Erp and Nut Limsopatham, https://github.com/leondz/emerging_entities_17, CC BY 4.0), unchanged. Its word vectors are
      those of frequent words in GloVe 6B (Jeffrey Pennington, Richard Socher and Christopher D. Manning, PDDL); its Brown clusters are
      those of snips-nlu-resources (Apache-2.0).
    |||,
  } },
}
