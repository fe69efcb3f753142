// Parts for span models: their corpora and inputs, candidates, representations, decoders, losses for missing annotations.
local data = std.extVar('NER_ZOO_DATA');
local given_encoder = std.extVar('NER_ZOO_ENCODER');
local given_dim = std.parseInt(std.extVar('NER_ZOO_ENCODER_DIM'));

local corpus(type, train, validation) = {
  dataset_reader+: { type: type, token_indexers: {} },
  train_data_path: data + '/' + train,
  validation_data_path: data + '/' + validation,
};

// A corpus without a development split: one sentence in ten is held out.
local divided(type, files) = corpus(type, files + ' [all but every 10th]', files + ' [every 10th]');

local sampler(max_spans, batch_size, shuffle) = {
  batch_sampler: { type: 'span_budget', max_spans: max_spans, batch_size: batch_size, shuffle: shuffle },
};

{
  // ---- Corpora, below $NER_ZOO_DATA

  // Human annotation and distant supervision, which leaves out what is not in a dictionary.
  ec: corpus('ec', 'ec/train + ds_fa', 'ec/dev'),
  news: corpus('news', 'news/train + ds_fa', 'news/dev'),
  // The same, but what is not in the dictionary is unknown and not O.
  ec_unknown: corpus('ec', 'ec/train + ds_pa', 'ec/dev'),
  news_unknown: corpus('news', 'news/train + ds_pa', 'news/dev'),

  genia: corpus('genia', 'genia/genia.train.iob2', 'genia/genia.dev.iob2'),
  germeval14: corpus('germeval14', 'germeval14/germ.train.iob2', 'germeval14/germ.dev.iob2'),
  // Books by their numbers: those that begin with 2 are for development.
  litbank: corpus('litbank', 'litbank/tsv/[!2]*', 'litbank/tsv/2*'),
  // For entities alone: sentences that only a relation joins stay apart.
  nerel: corpus('nerel', 'nerel/train', 'nerel/dev') + { dataset_reader+: { join_related: false } },
  anercorp: divided('anercorp', 'anercorp/ANERCorp*'),
  // In W2NER's JSON, whose splits are fixed, or as published.
  cadec: corpus(
    'cadec',
    'cadec/train.json or ' + data + '/cadec [all but every 10th]',
    'cadec/dev.json or ' + data + '/cadec [every 10th]',
  ),
  harem: divided('harem', 'harem/ColeccaoDouradaHAREM.txt'),
  msra: divided('msra', 'msra/msra_train_bio*'),

  // Forget each annotation of the training data with probability p; validation data stay whole. Comes after the corpus. By -o:
  // dataset_reader.annotation_dropout.probability.
  missing(p): {
    local config = self,
    dataset_reader+: { annotation_dropout: { probability: p } },
    validation_dataset_reader: config.dataset_reader { annotation_dropout:: null },
  },

  // ---- Inputs

  // One vector per Chinese character and a BiLSTM over them; or an encoder of Hugging Face, tuned with a learning rate of its own:
  // NER_ZOO_ENCODER=bert-base-chinese allennlp train ..., a name or a folder, and NER_ZOO_ENCODER_DIM where that is not 768.
  chinese(encoder=given_encoder, dim=given_dim):
    if encoder == '' then $.word_vectors('chinese_chars.100d.tsv', 100, trainable=true, standardise=true) + $.bilstm(150, 0.2, 0.3)
    else $.tuned_transformer(encoder, dim),
  english(encoder=given_encoder, dim=given_dim):
    if encoder == '' then
      $.word_vectors('glove.wink.100d.pruned.txt.gz', 100) + $.characters() + $.bilstm(150, 0.2, 0.3)
    else $.tuned_transformer(encoder, dim),
  tuned_transformer(encoder, dim=768): $.transformer(encoder, dim) + $.pass_through + { trainer+: { optimizer: {
    type: 'huggingface_adamw',
    lr: 5e-4,
    parameter_groups: [[['embedder'], { lr: 2e-5 }]],
  } } },

  // Vectors that `allennlp glove` made of the corpus, frozen, below $NER_ZOO_DATA/vectors; without a file, learned with the model.
  own_vectors(file=null, dim=100): if file == null then $.learned_words(dim) else $.words(file, dim, lowercase=false),

  // Vectors go on as they are, without context.
  pass_through: {
    local config = self,
    local size = std.foldl(function(sum, name) sum + config.inputs[name], std.objectFieldsAll(config.inputs), 0),
    encoded:: size,
    model+: { encoder: { type: 'pass_through', input_dim: size } },
  },

  // ---- Model

  // Candidates up to a width, batches with a budget of spans, and of each span its ends and width in a network of two layers.
  span(max_width=10, batch_size=16, max_spans=32768, dim=150, dropout=0.2): {
    dataset_reader+: { view: { type: 'spans', candidates: { type: 'contiguous', max_width: max_width } } },
    data_loader: sampler(max_spans, batch_size, true),
    validation_data_loader: sampler(max_spans, 4 * batch_size, false),
    model+: {
      type: 'span',
      representation: { type: 'projected_endpoints', dim: dim, max_width: max_width, dropout: dropout },
      feedforward: { num_layers: 1, hidden_dims: dim, activations: 'relu', dropout: dropout },
      head: 'softmax',
    },
  },

  // Of each span its two ends, multiplied.
  biaffine(dim=150, dropout=0.2): { model+: {
    representation: { type: 'separate_endpoints', dim: dim, dropout: dropout },
    feedforward:: null,
    head: 'biaffine',
  } },

  // Types for spans that are given: a BiLSTM with attention over the span's own tokens and no others.
  typing(hidden=200): $.pass_through + {
    dataset_reader+: { view: { type: 'spans', candidates: 'gold' } },
    model+: { representation: { type: 'span_attention', hidden_size: hidden }, feedforward:: null },
    trainer+: { validation_metric: '+typing_accuracy' },
  },

  // What may stand together: flat (the best set without overlap) or nested (nothing crosses). Without either, each span has its
  // best label.
  flat: { model+: { decoder: 'exact' } },
  nested: { model+: { decoder: 'nested' } },
  crossing: { model+: { decoder: { type: 'nested', may_cross: true } } },

  // ---- Losses

  nrces(w=5.0, keep=0.5, cross_entropy_on='entities', robust_on='background'): { model+: { loss: {
    type: 'nrces',
    w: w,
    keep: keep,
    cross_entropy_on: cross_entropy_on,
    robust_on: robust_on,
  } } },
  negative_sampling(rate=0.35): { model+: { loss: { type: 'negative_sampling', rate: rate } } },
  weighted_negative_sampling(rate=0.35): { model+: { loss: { type: 'weighted_negative_sampling', rate: rate } } },
  positive_unlabelled(prior=0.02): { model+: { loss: { type: 'positive_unlabelled', prior: prior } } },
  partial_likelihood(background_weight=null, self_weight=0.0): { model+: { loss: {
    type: 'partial_likelihood',
    background_weight: background_weight,
    self_weight: self_weight,
  } } },
}
