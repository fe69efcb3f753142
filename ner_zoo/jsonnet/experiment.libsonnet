// The skeleton of every experiment. Add a corpus, inputs, a model and a loss from use.libsonnet, in any order.
//
// Parts set hidden fields (`::`), which other parts or the skeleton combine; visible fields are computed from them when
// all parts are known. A part may also set visible fields, which override everything here.
{
  local config = self,

  // Inputs by name, each { indexer, embedder } and, if needed, vocabulary (options of the Vocabulary) and train_only
  // (build its vocabulary from training data alone).
  inputs:: {},
  // The loss, and additional losses by name, each { loss, weight }.
  loss:: std.get(config.system, 'loss', error 'No loss: add one, e.g. use.nll.'),
  added_losses:: {},
  // Trainer callbacks by name.
  callbacks:: {},
  // The encoder between the inputs and the head.
  encoder:: error 'No encoder: add one, e.g. use.bilstm(100).',

  // Three layers of defaults, weakest first: inputs and encoder for an experiment without other inputs (use.english),
  // the settings of a whole system (use.span, use.roseq_base), and those for fine-tuning a pretrained encoder
  // (use.encoder).
  standard:: {},
  system:: {},
  tuning:: {},

  local has_inputs = std.length(std.get(config.system, 'inputs', {}) + config.inputs) > 0,
  local layers = [if has_inputs then {} else config.standard, config.system, config.tuning],
  local layered(field, base) = std.foldl(function(sum, layer) sum + std.get(layer, field, {}), layers, base),

  local inputs = layered('inputs', {}) + config.inputs,
  local names = std.objectFields(inputs),
  local callbacks = layered('callbacks', {}) + config.callbacks,
  local added = std.objectFields(config.added_losses),

  assert std.setDiff(names, std.objectFields(std.get(config.dataset_reader, 'token_indexers', {}))) == []
         : 'The dataset_reader has no indexers for ' + std.join(', ', names)
           + '. Write dataset_reader+: (with a plus), and leave token_indexers to the parts; or use.corpus(reader, train, validation).',
  dataset_reader: layered('dataset_reader', {
    type: error 'No corpus: add one, e.g. use.wnut17.',
    token_indexers: { [name]: inputs[name].indexer for name in names },
  }),
  train_data_path: error 'No training data: add a corpus, e.g. use.wnut17, or set train_data_path.',
  validation_data_path: error 'No validation data: add a corpus, e.g. use.wnut17, or set validation_data_path.',

  vocabulary: std.foldl(function(sum, name) std.mergePatch(sum, std.get(inputs[name], 'vocabulary', {})), names, {}),
  datasets_for_vocab_creation:
    if std.length([name for name in names if std.get(inputs[name], 'train_only', false)]) > 0 then ['train'] else null,

  model: layered('model', {
    type: error 'No model: add one, e.g. use.tagger.',
    embedder: { token_embedders: { [name]: inputs[name].embedder for name in names } },
    encoder: config.encoder,
    head: error 'No head: add one, e.g. use.crf.',
    loss: if added == [] then config.loss else {
      type: 'weighted_sum',
      losses: [config.loss] + [config.added_losses[name].loss for name in added],
      weights: [1.0] + [config.added_losses[name].weight for name in added],
    },
  }),

  data_loader: layered('data_loader', { batch_size: 16, shuffle: true }),
  validation_data_loader: { batch_size: 64, shuffle: false },

  trainer: layered('trainer', {
    num_epochs: 30,
    patience: 8,
    validation_metric: '+entity_f1',
    optimizer: { type: 'adam', lr: 0.001 },
    grad_norm: 5.0,
    checkpointer: { keep_most_recent_by_count: 1 },
    callbacks: [callbacks[name] for name in std.objectFields(callbacks)],
  }),

  local seed = 13370,
  random_seed: seed,
  numpy_seed: seed,
  pytorch_seed: seed,
}
