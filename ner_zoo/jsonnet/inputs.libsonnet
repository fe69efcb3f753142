// Inputs: each adds an indexer to the reader and an embedder to the model. Also encoders, which contextualise the
// vectors.
local data = std.extVar('NER_ZOO_DATA');

// One vector per word from its letters, or from its orthographic encoding.
local character_cnn(name, indexer, namespace, dim, widths, filters, highway, activation) = {
  inputs+:: { [name]: {
    indexer: { type: indexer, namespace: namespace, min_padding_length: std.foldl(std.max, widths, 1) },
    embedder: {
      type: 'character_cnn',
      embedding_dim: dim,
      widths: widths,
      num_filters: filters,
      num_highway: highway,
      activation: activation,
      vocab_namespace: namespace,
    },
  } },
};

{
  // ---- Words

  // Word vectors from a file in $NER_ZOO_DATA/vectors, or random ones. All words of the file are added to the
  // vocabulary, so words that were not seen in training keep their vectors.
  words(file=null, dim=50, trainable=false, lowercase=true): {
    local path = data + '/vectors/' + file,
    inputs+:: { words: {
      indexer: { type: 'single_id', namespace: 'words', lowercase_tokens: lowercase },
      embedder: {
        type: 'embedding',
        embedding_dim: dim,
        vocab_namespace: 'words',
        [if file == null then null else 'pretrained_file']: path,
        trainable: trainable || file == null,
      },
      [if file == null then null else 'vocabulary']: {
        pretrained_files: { words: path },
        min_pretrained_embeddings: { words: 10000000 },
      },
    } },
  },

  // Word vectors from a file in $NER_ZOO_DATA/vectors, found under any spelling. Words of development data are as
  // unknown as those of test data: the vocabulary is built only from training data and the file. max_unseen_words
  // limits the number of words of a huge file.
  word_vectors(file, dim, trainable=false, standardise=false, unknown='learned', max_unseen_words=null, name='words'): {
    inputs+:: { [name]: {
      indexer: { type: 'known_spelling', namespace: name },
      embedder: {
        type: 'word_vectors',
        embedding_dim: dim,
        pretrained_file: data + '/vectors/' + file,
        vocab_namespace: name,
        trainable: trainable,
        standardise: standardise,
        unknown: unknown,
        max_unseen_words: max_unseen_words,
      },
      train_only: true,
    } },
  },

  // Word vectors learned with the model. Words that occur only once in the training data represent unknown words.
  learned_words(dim=50, min_count=2): {
    inputs+:: { words: {
      indexer: { type: 'known_spelling', namespace: 'words' },
      embedder: { type: 'embedding', embedding_dim: dim, vocab_namespace: 'words' },
      vocabulary: { min_count: { words: min_count } },
      train_only: true,
    } },
  },

  // Vectors trained on the corpus with `allennlp glove`, frozen, in $NER_ZOO_DATA/vectors; without a file, learned with
  // the model.
  own_vectors(file=null, dim=100): if file == null then $.learned_words(dim) else $.words(file, dim, lowercase=false),

  // English words; and words of tweets, with the vectors of a second file and with orthographic encodings.
  glove: $.word_vectors('glove.6B.50d.pruned.txt.gz', 50, standardise=true),
  more_glove: $.word_vectors('glove.wink.100d.pruned.txt.gz', 100, standardise=true, name='more_words'),
  tweet_words: $.glove + $.more_glove + $.orthography(),

  // Brown clusters of words from a file in $NER_ZOO_DATA/vectors: a vector of size `dim` for the first 4, 6, 10 and 16
  // bits of a word's path, so that a misspelt or unseen word shares the vectors of its cluster.
  brown_clusters(file='twitter_clusters.tsv.gz', dim=15, prefixes=[4, 6, 10, 16]): {
    inputs+:: { clusters: {
      indexer: { type: 'known_spelling', namespace: 'cluster_words' },
      embedder: {
        type: 'word_clusters',
        embedding_dim: dim,
        pretrained_file: data + '/vectors/' + file,
        vocab_namespace: 'cluster_words',
        prefixes: prefixes,
      },
      train_only: true,
    } },
  },

  // ---- Characters

  // Character CNN: one vector per word from its letters. Adversarial training perturbs the letters.
  characters(dim=30, widths=[2, 3, 4], filters=20, highway=2, activation='tanh'):
    character_cnn('characters', 'characters', 'token_characters', dim, widths, filters, highway, activation),

  // Character BiLSTM.
  character_bilstm(dim=25, hidden=25): {
    inputs+:: { characters: {
      indexer: { type: 'characters', min_padding_length: 1 },
      embedder: {
        type: 'character_encoding',
        embedding: { embedding_dim: dim, vocab_namespace: 'token_characters' },
        encoder: { type: 'lstm', input_size: dim, hidden_size: hidden, bidirectional: true },
      },
    } },
  },

  // Orthographic encodings of words and characters: "I don't like 13!" -> "C cccpc cccc nnp".
  // Encodings of words rarer than `min_count` share one vector.
  orthography(words=50, dim=30, widths=[2, 3, 4], filters=20, highway=2, min_count=1):
    local name = 'orthographic_characters';
    character_cnn(name, name, name, dim, widths, filters, highway, 'tanh') + {
      inputs+:: { orthographic_words: {
        indexer: { type: 'orthographic_words' },
        embedder: { type: 'embedding', embedding_dim: words, vocab_namespace: 'orthographic_words' },
        [if min_count > 1 then 'vocabulary']: { min_count: { orthographic_words: min_count } },
      } },
    },

  // ---- Pretrained encoders

  // ELMo, frozen, from its two files in $NER_ZOO_DATA/vectors: NAME_options.json and NAME_weights.hdf5.
  elmo(name='elmo_2x4096_512_2048cnn_2xhighway_5.5B', dropout=0.0): {
    inputs+:: { elmo: {
      indexer: { type: 'elmo_characters' },
      embedder: {
        type: 'elmo_token_embedder',
        options_file: data + '/vectors/' + name + '_options.json',
        weight_file: data + '/vectors/' + name + '_weights.hdf5',
        dropout: dropout,
      },
    } },
  },

  // A Hugging Face encoder, by name or folder: one vector per word from its word pieces. Sentences of more than
  // `max_length` pieces are processed in windows of that length. It is fine-tuned with its own learning rate, `rate`,
  // while everything else uses `head_rate`; both rise during the first `warmup` share of the training, then decay to
  // nearly zero. With frozen=true it stays unchanged, and the rest is trained as usual. Add use.bilstm for a BiLSTM on
  // top.
  encoder(name, frozen=false, rate=2e-5, head_rate=5e-4, warmup=0.1, epochs=10, max_length=512): {
    local model = { model_name: name, max_length: max_length },
    inputs+:: { encoder: {
      indexer: model { type: 'word_pieces' },
      embedder: model { type: 'pretrained_transformer_mismatched', train_parameters: !frozen },
    } },
    encoder:: 'pass_through',
    tuning+:: if frozen then {} else { trainer: {
      num_epochs: epochs,
      patience: null,
      optimizer: {
        type: 'huggingface_adamw',
        lr: head_rate,
        parameter_groups: [[['token_embedder_encoder'], { lr: rate }]],
      },
      learning_rate_scheduler: if warmup == null then null else { type: 'slanted_triangular', cut_frac: warmup },
    } },
  },

  // The same encoder, frozen, at the speed of word vectors: it processes each sentence once, before training, and its
  // vectors are stored in files next to the run that other runs reuse. `layers` is mix (a learned mix of all), last, or
  // a list such as [-1, -2, -3, -4]. Add use.bilstm. Adversarial training perturbs the vectors.
  frozen_encoder(name, layers='mix', max_length=512): {
    local model = { model_name: name, max_length: max_length },
    inputs+:: { encoder: {
      indexer: model { type: 'word_pieces' },
      embedder: model { type: 'frozen_encoder', layers: layers },
    } },
    encoder:: 'pass_through',
  },

  // ---- Default inputs and encoder for a language, used if no part adds other inputs

  chinese: { standard+::
    $.word_vectors('chinese_chars.100d.tsv', 100, trainable=true, standardise=true) + $.bilstm(150, 0.2, 0.3) },
  english: { standard+:: $.word_vectors('glove.wink.100d.pruned.txt.gz', 100) + $.characters() + $.bilstm(150, 0.2, 0.3) },

  // ---- Encoders, from word vectors to contextual vectors

  // A BiLSTM over all inputs.
  bilstm(hidden=100, embedding_dropout=0.0, dropout=0.5): { model+: {
    encoder: { type: 'padded_lstm', hidden_size: hidden },
    embedding_dropout: embedding_dropout,
    dropout: dropout,
  } },

  // No encoder: vectors are passed through unchanged.
  pass_through: { model+: { encoder: 'pass_through' } },

  // h = tanh(W_l h_forward + W_r h_backward + b): one dense layer over both directions.
  fusion(dim=100): { model+: { feedforward: { num_layers: 1, hidden_dims: dim, activations: 'tanh' } } },
}
