// The model that comes with the package: RoSeq on WNUT-17, with vectors of frequent words only, to keep it small. `make pretrained`.
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.wnut17 + use.word_vectors('glove.6B.50d.pruned.txt.gz', 50, standardise=true, max_unseen_words=25000)
+ use.orthography() + use.roseq_base + use.roseq_lacrf + use.roseq_focal + use.roseq_adversarial
+ { trainer+: {
  num_epochs: 30,
  callbacks+: [{
    type: 'model_card',
    licence: 'CC BY 4.0, as its training data; its word vectors (GloVe) are in the public domain (PDDL)',
    description: 'Emerging entities in tweets and forum posts: corporation, creative-work, group, location, person, product.',
  }],
} }
