// The parts of an experiment. Each is an object to add to experiment.libsonnet:
//
//   experiment + use.wnut17 + use.tagger + use.words('glove.6B.50d.pruned.txt.gz', 50) + use.bilstm(100) + use.crf + use.nll
//
// An input (words, characters) adds its indexer to the reader and its embedder to the model; an encoder must know the size of
// all inputs together, which `inputs` keeps.
local data = std.extVar('NER_ZOO_DATA');

local corpus(type, train, validation, reader={}) = {
  dataset_reader+: { type: type, token_indexers: {} } + reader,
  train_data_path: data + '/' + train,
  validation_data_path: data + '/' + validation,
};

{
  // ---- Corpora, below $NER_ZOO_DATA

  wnut16: corpus('wnut', 'wnut16/train', 'wnut16/dev'),
  wnut17: corpus('wnut', 'wnut17/wnut17train.conll', 'wnut17/emerging.dev.conll'),
  demo: {
    dataset_reader: { type: 'span_json', token_indexers: {} },
    train_data_path: 'fixtures/demo/train.jsonl',
    validation_data_path: 'fixtures/demo/dev.jsonl',
  },

  // How a tagger's view writes entities: BIO, BIOUL, BIOES, ...
  scheme(name): { dataset_reader+: { view: { type: 'tags', scheme: name } } },

  // ---- Inputs

  // Word vectors from a file below $NER_ZOO_DATA/vectors, or random ones. Every word of the file is in the vocabulary, so that words of
  // a text that training never saw have their vectors.
  words(file=null, dim=50, trainable=false, lowercase=true): {
    local path = data + '/vectors/' + file,
    inputs+:: { words: dim },
    dataset_reader+: { token_indexers+: { words: { type: 'single_id', namespace: 'words', lowercase_tokens: lowercase } } },
    model+: { embedder+: { token_embedders+: { words: {
      type: 'embedding',
      embedding_dim: dim,
      vocab_namespace: 'words',
      [if file == null then null else 'pretrained_file']: path,
      trainable: trainable || file == null,
    } } } },
    [if file == null then null else 'vocabulary']+: {
      pretrained_files+: { words: path },
      min_pretrained_embeddings+: { words: 10000000 },
    },
  },

  // Character CNN with highway layers: one vector per word from its letters.
  characters(dim=30, widths=[2, 3, 4], filters=20, highway=2): {
    local size = std.length(widths) * filters,
    inputs+:: { characters: size },
    dataset_reader+: { token_indexers+: { characters: { type: 'characters', min_padding_length: std.foldl(std.max, widths, 1) } } },
    model+: { embedder+: { token_embedders+: { characters: {
      type: 'character_cnn',
      embedding_dim: dim,
      widths: widths,
      num_filters: filters,
      num_highway: highway,
      activation: 'tanh',
    } } } },
  },

  // ---- Models

  tagger: { model+: { type: 'tagger' } },

  // A BiLSTM over all inputs.
  bilstm(hidden=100, embedding_dropout=0.0, dropout=0.5): {
    local config = self,
    encoded:: 2 * hidden,
    model+: {
      encoder: {
        type: 'padded_lstm',
        input_size: std.foldl(function(sum, name) sum + config.inputs[name], std.objectFieldsAll(config.inputs), 0),
        hidden_size: hidden,
      },
      embedding_dropout: embedding_dropout,
      dropout: dropout,
    },
  },

  // h = tanh(W_l h_forward + W_r h_backward + b): one dense layer over both directions.
  fusion(dim=100): {
    local config = self,
    model+: { feedforward: { input_dim: config.encoded, num_layers: 1, hidden_dims: dim, activations: 'tanh' } },
  },

  // ---- Heads and losses

  crf: { model+: { head: { type: 'crf' } } },
  softmax: { model+: { head: { type: 'softmax' } } },
  nll: { model+: { loss: 'nll' } },
}
+ (import 'tagging.libsonnet')
+ (import 'spans.libsonnet')
+ (import 'joint.libsonnet')
