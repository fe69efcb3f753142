// AllenNLP's own `crf_tagger`, as its published NER configs have it: both files of vectors, a character CNN, a BiLSTM of two layers.
local folder = std.extVar('PEER_FOLDER');
local words(name) = { type: 'single_id', namespace: name, lowercase_tokens: true };
local vectors(name, dim, file) = {
  type: 'embedding', embedding_dim: dim, vocab_namespace: name, pretrained_file: file, trainable: false,
};

{
  dataset_reader: {
    type: 'sequence_tagging',
    word_tag_delimiter: '\u0001',
    token_delimiter: '\t',
    token_indexers: {
      words: words('words'),
      more_words: words('more_words'),
      characters: { type: 'characters', min_padding_length: 3 },
    },
  },
  train_data_path: folder + '/train.txt',
  validation_data_path: folder + '/dev.txt',
  // Words that only the vectors know are kept, so that test data have their vectors too.
  vocabulary: {
    pretrained_files: { words: std.extVar('PEER_VECTORS'), more_words: std.extVar('PEER_MORE_VECTORS') },
    min_pretrained_embeddings: { words: 10000000, more_words: 10000000 },
  },
  datasets_for_vocab_creation: ['train'],
  model: {
    type: 'crf_tagger',
    label_encoding: 'BIO',
    dropout: 0.5,
    include_start_end_transitions: false,
    text_field_embedder: { token_embedders: {
      words: vectors('words', 50, std.extVar('PEER_VECTORS')),
      more_words: vectors('more_words', 100, std.extVar('PEER_MORE_VECTORS')),
      characters: {
        type: 'character_encoding',
        embedding: { embedding_dim: 16, vocab_namespace: 'token_characters' },
        encoder: { type: 'cnn', embedding_dim: 16, num_filters: 128, ngram_filter_sizes: [3], conv_layer_activation: 'relu' },
      },
    } },
    encoder: { type: 'lstm', input_size: 50 + 100 + 128, hidden_size: 200, num_layers: 2, dropout: 0.5, bidirectional: true },
  },
  data_loader: { batch_size: 32, shuffle: true },
  trainer: {
    optimizer: { type: 'adam', lr: 0.001 },
    validation_metric: '+f1-measure-overall',
    num_epochs: 15,
    patience: 5,
    grad_norm: 5.0,
    checkpointer: { keep_most_recent_by_count: 1 },
  },
}
