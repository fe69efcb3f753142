// The skeleton of every experiment. Add a corpus, an input, a model and a loss from use.libsonnet to it.
{
  dataset_reader: { type: error 'No corpus: add one, e.g. use.wnut17.' },
  train_data_path: error 'No training data: add a corpus, e.g. use.wnut17, or give train_data_path.',
  validation_data_path: error 'No validation data: add a corpus, e.g. use.wnut17, or give validation_data_path.',
  model: {
    type: error 'No model: add one, e.g. use.tagger.',
    embedder: { token_embedders: {} },
    encoder: error 'No encoder: add one, e.g. use.bilstm(100).',
    head: error 'No head: add one, e.g. use.crf.',
    loss: error 'No loss: add one, e.g. use.nll.',
  },
  // The sizes of the inputs, by name, and of the encoder's output: parts write them for other parts to read.
  inputs:: {},
  encoded:: error 'No encoder: add one, e.g. use.bilstm(100).',

  data_loader: { batch_size: 16, shuffle: true },
  validation_data_loader: { batch_size: 64, shuffle: false },

  trainer: {
    num_epochs: 30,
    patience: 8,
    validation_metric: '+entity_f1',
    optimizer: { type: 'adam', lr: 0.001 },
    grad_norm: 5.0,
    checkpointer: { keep_most_recent_by_count: 1 },
  },

  local seed = 13370,
  random_seed: seed,
  numpy_seed: seed,
  pytorch_seed: seed,
}
