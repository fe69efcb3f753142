// Parts for taggers: their corpora and inputs, the hinge family, RoSeq.
local data = std.extVar('NER_ZOO_DATA');

local corpus(type, train, validation) = {
  dataset_reader+: { type: type, token_indexers: {} },
  train_data_path: data + '/' + train,
  validation_data_path: data + '/' + validation,
};

// One vector per word from its characters, in the encoder that is given.
local characters(name, indexer, namespace, dim, encoder, size, padding) = {
  inputs+:: { [name]: size },
  dataset_reader+: { token_indexers+: { [name]: { type: indexer, namespace: namespace, min_padding_length: padding } } },
  model+: { embedder+: { token_embedders+: { [name]: {
    type: 'character_encoding',
    embedding: { embedding_dim: dim, vocab_namespace: namespace },
    encoder: encoder,
  } } } },
};

local character_cnn(name, indexer, namespace, dim, widths, filters, highway) = characters(
  name,
  indexer,
  namespace,
  dim,
  { type: 'cnn_highway', embedding_dim: dim, widths: widths, num_filters: filters, num_highway: highway },
  std.length(widths) * filters,
  std.foldl(std.max, widths, 1),
);

// A loss that knows the altered labelling u: the O before the first entity turned into an entity of this type.
local multi_constraint(type, entity_type, options={}) = { model+: { loss: {
  type: type,
  altered_labelling: { type: 'false_positive', entity_type: entity_type },
} + options } };

{
  // ---- Corpora, below $NER_ZOO_DATA

  ontonotes: corpus('ontonotes', 'ontonotes/train', 'ontonotes/development'),
  conll2002_es: corpus('conll', 'conll2002/esp.train', 'conll2002/esp.testa'),
  conll2002_nl: corpus('conll', 'conll2002/ned.train', 'conll2002/ned.testa'),
  conll2003: corpus('conll', 'conll2003/eng.train', 'conll2003/eng.testa'),

  // ---- Inputs

  // Word vectors from a file below $NER_ZOO_DATA/vectors, for words in any spelling that it has. Words of development data are as
  // unknown as those of test data: only training data and the file make the vocabulary. Of a huge file, keep the first words alone.
  word_vectors(file, dim, trainable=false, standardise=false, unknown='learned', max_unseen_words=null, name='words'): {
    inputs+:: { [name]: dim },
    dataset_reader+: { token_indexers+: { [name]: { type: 'known_spelling', namespace: name } } },
    datasets_for_vocab_creation: ['train'],
    model+: { embedder+: { token_embedders+: { [name]: {
      type: 'word_vectors',
      embedding_dim: dim,
      pretrained_file: data + '/vectors/' + file,
      vocab_namespace: name,
      trainable: trainable,
      standardise: standardise,
      unknown: unknown,
      max_unseen_words: max_unseen_words,
    } } } },
  },

  // Word vectors that are learned with the model. Words that training data have only once stand for those that they do not have.
  learned_words(dim=50, min_count=2): {
    inputs+:: { words: dim },
    dataset_reader+: { token_indexers+: { words: { type: 'known_spelling', namespace: 'words' } } },
    datasets_for_vocab_creation: ['train'],
    vocabulary+: { min_count+: { words: min_count } },
    model+: { embedder+: { token_embedders+: { words: { type: 'embedding', embedding_dim: dim, vocab_namespace: 'words' } } } },
  },

  // Character CNN with highway layers.
  character_highway(dim=30, widths=[2, 3, 4], filters=20, highway=2):
    character_cnn('characters', 'characters', 'token_characters', dim, widths, filters, highway),

  // Character BiLSTM.
  character_bilstm(dim=25, hidden=25):
    characters(
      'characters',
      'characters',
      'token_characters',
      dim,
      { type: 'lstm', input_size: dim, hidden_size: hidden, bidirectional: true },
      2 * hidden,
      1
    ),

  // The orthographic twins of words and characters: "I don't like 13!" -> "C cccpc cccc nnp".
  orthography(words=50, dim=30, widths=[2, 3, 4], filters=20, highway=2):
    character_cnn(
      'orthographic_characters', 'orthographic_characters', 'orthographic_characters', dim, widths, filters, highway
    ) + {
      inputs+:: { orthographic_words: words },
      dataset_reader+: { token_indexers+: { orthographic_words: { type: 'orthographic_words' } } },
      model+: { embedder+: { token_embedders+: { orthographic_words: {
        type: 'embedding',
        embedding_dim: words,
        vocab_namespace: 'orthographic_words',
      } } } },
    },

  // ELMo, frozen, from its two files below $NER_ZOO_DATA/vectors: NAME_options.json and NAME_weights.hdf5.
  elmo(name='elmo_2x4096_512_2048cnn_2xhighway_5.5B', dim=1024, dropout=0.0): {
    inputs+:: { elmo: dim },
    dataset_reader+: { token_indexers+: { elmo: { type: 'elmo_characters' } } },
    model+: { embedder+: { token_embedders+: { elmo: {
      type: 'elmo_token_embedder',
      options_file: data + '/vectors/' + name + '_options.json',
      weight_file: data + '/vectors/' + name + '_weights.hdf5',
      dropout: dropout,
    } } } },
  },

  // Any encoder of Hugging Face, by name or folder: one vector per word from its word pieces. What is longer than `max_length`
  // pieces is read in windows of that length.
  transformer(name, dim=768, max_length=512, trainable=true): {
    local encoder = { model_name: name, max_length: max_length },
    inputs+:: { transformer: dim },
    dataset_reader+: { token_indexers+: { transformer: encoder { type: 'word_pieces' } } },
    model+: { embedder+: { token_embedders+: { transformer: encoder {
      type: 'pretrained_transformer_mismatched',
      train_parameters: trainable,
    } } } },
  },

  // ---- Heads

  label_aware_crf(tau=0.25, max_zeta=null): { model+: { head: { type: 'label_aware_crf', tau: tau, max_zeta: max_zeta } } },

  // ---- Losses

  hinge: { model+: { loss: 'hinge' } },
  hinge_yu(entity_type='ORG'): multi_constraint('hinge_yu', entity_type),
  double_hinge(entity_type='ORG'): multi_constraint('double_hinge', entity_type),
  discounted_margin(entity_type='ORG', df=0.925):
    multi_constraint('discounted_margin', entity_type, { df: df }),
  softmax_margin: { model+: { loss: 'softmax_margin' } },

  // Adds the focal loss to the loss that is there.
  plus_focal(gamma=2.0, weight=1.0, reduction='sum'): { model+: {
    local loss = super.loss,
    loss: {
      type: 'weighted_sum',
      losses: [loss, { type: 'focal', gamma: gamma, reduction: reduction }],
      weights: [1.0, weight],
    },
  } },

  // ---- Training

  adversarial_training(epsilon=5.0, weight=1.0, norm='absolute', start_epoch=0, embedders=null): {
    trainer+: { callbacks+: [{
      type: 'adversarial_training',
      epsilon: epsilon,
      weight: weight,
      norm: norm,
      start_epoch: start_epoch,
      embedders: embedders,
    }] },
  },

  // lr_t = max(lr / (1 + rho t), floor) after t epochs.
  inverse_decay(rho=0.05, floor=1e-4): {
    trainer+: { learning_rate_scheduler: { type: 'inverse_decay', rho: rho, floor: floor } },
  },

  // Validation and archive use the average of the weights over the last steps: about 1 / (1 - decay) of them.
  moving_average(decay=0.999): { trainer+: { moving_average: { type: 'exponential', decay: decay } } },

  // ---- Systems

  // The tagger of the hinge family, without its words and its loss: character BiLSTM, BiLSTM, a dense layer, CRF.
  hinge_tagger: $.scheme('BIO') + $.tagger + $.character_bilstm(25, 25) + $.bilstm(100, embedding_dropout=0.5, dropout=0.5)
                + $.fusion(100) + $.crf + {
    data_loader+: { batch_size: 20 },
    trainer+: { num_epochs: 20, patience: 5, grad_norm: false },
  },

  // RoSeq's base, without its words: character CNN with highway layers, BiLSTM, fusion, CRF.
  roseq_base: $.scheme('BIOES') + $.tagger + $.character_highway() + $.bilstm(100, embedding_dropout=0.2, dropout=0.5)
              + $.fusion(100) + $.crf + $.nll + $.inverse_decay(),

  // The words of English corpora; and those of tweets, with the vectors of a second file and with their orthographic twins.
  glove: $.word_vectors('glove.6B.50d.pruned.txt.gz', 50, standardise=true),
  more_glove: $.word_vectors('glove.wink.100d.pruned.txt.gz', 100, standardise=true, name='more_words'),
  tweet_words: $.glove + $.more_glove + $.orthography(),

  // What RoSeq adds to its base. The paper has no bound on zeta, sums the focal loss over tokens, and has an absolute epsilon of 5; with
  // the settings here the three together beat their base on the development data of WNUT-16.
  roseq_lacrf: $.label_aware_crf(tau=0.25, max_zeta=4.0),
  roseq_focal: $.plus_focal(gamma=2.0, reduction='mean'),
  roseq_adversarial: $.adversarial_training(epsilon=0.03, norm='relative'),
}
