// Parts for joint entity and relation extraction: corpora with relations, the model, minimum risk training.
local data = std.extVar('NER_ZOO_DATA');

local corpus(type, train, validation) = {
  dataset_reader+: { type: type, view: { type: 'joint', scheme: 'BIOUL' }, token_indexers: {} },
  train_data_path: data + '/' + train,
  validation_data_path: data + '/' + validation,
};

{
  // ---- Corpora, below $NER_ZOO_DATA

  conll04: corpus('conll04', 'conll04/train.txt', 'conll04/dev.txt'),
  // As LSTM-ER prepares it; a path to any other form of it will do: -o '{"train_data_path": ...}'.
  ace05: corpus('ace05', 'ace05/corpus/train', 'ace05/corpus/dev'),
  // CoType's or entrel-joint-mrt's JSON lines. CoType has no dev.json: where there is none, a tenth of the training data is held out.
  nyt: corpus('nyt', 'nyt/train* [all but every 10th]', 'nyt/dev* or ' + data + '/nyt/train* [every 10th]'),

  // ---- Inputs

  // Character CNN: one vector per word from its letters.
  character_cnn(dim=50, widths=[2, 3], filters=25): {
    inputs+:: { characters: std.length(widths) * filters },
    dataset_reader+: { token_indexers+: { characters: { type: 'characters', min_padding_length: std.foldl(std.max, widths, 1) } } },
    model+: { embedder+: { token_embedders+: { characters: {
      type: 'character_encoding',
      embedding: { embedding_dim: dim, vocab_namespace: 'token_characters' },
      encoder: { type: 'cnn', embedding_dim: dim, num_filters: filters, ngram_filter_sizes: widths },
    } } } },
  },

  // Batches of sentences of similar length, with little padding; `in_memory` sentences at a time, or all of them.
  batches(size, in_memory=null): {
    data_loader: {
      batch_sampler: { type: 'bucket', batch_size: size, sorting_keys: ['text'], padding_noise: 0.2 },
      [if in_memory == null then null else 'max_instances_in_memory']: in_memory,
    },
  },

  // ---- Model

  // Entities and relations over one encoder; models are selected by relation F1. `average` is explained in LocalJointLoss.
  joint_relation(average='positions'): {
    model+: { type: 'joint_relation', average: average },
    trainer+: { validation_metric: '+relation_f1' },
  },

  // The relation head sees gold tags with probability k / (k + exp(epoch / k)), predicted ones else.
  scheduled_sampling(k=10): { trainer+: { callbacks+: [{ type: 'scheduled_sampling', k: k }] } },

  // The optimizer of the paper.
  adadelta: { trainer+: { optimizer: { type: 'adadelta', lr: 1.0, rho: 0.9, eps: 1e-6 }, grad_norm: 1.0 } },

  // ---- Minimum risk training. `start_epoch` epochs are trained with the local loss alone. To fine-tune a trained model instead, add
  // use.weights('nn/best.th') and use.minimum_risk(0, ...), or `from_archive` and the archive's vocabulary:
  //   model: { type: 'from_archive', archive_file: 'nn/model.tar.gz' }, vocabulary: { type: 'from_files', directory: 'nn/vocabulary' }

  // The settings of the paper: K = 3 and alpha = 1e-4 with a cost alone, K = 2 and alpha = 1 with the learned loss Gamma.
  minimum_risk(
    start_epoch,
    cost='both',
    gamma=false,
    sample_relations=true,
    num_samples=null,
    alpha=null,
    mu=1.0,
    rival='any',
    local_weight=1.0
  ): {
    trainer+: { callbacks+: [{
      type: 'mrt_sampling',
      start_epoch: start_epoch,
      cost: cost,
      gamma: gamma,
      num_samples: if num_samples != null then num_samples else if gamma then 2 else 3,
      alpha: if alpha != null then alpha else if gamma then 1.0 else 0.0001,
      mu: mu,
      rival: rival,
      sample_relations: sample_relations,
      local_weight: local_weight,
    }] },
  },

  // Train on from another config's run in the same `allennlp compare`, with a relation head that sees the tags it will see in use.
  tuned(config, epochs=8): $.weights('{run:' + config + '}/best.th') + {
    trainer+: {
      num_epochs: epochs,
      patience: epochs,
      optimizer+: { lr: 0.0002 },
      callbacks: [{ type: 'scheduled_sampling', k: 0.1 }],
    },
  },

  // Beside the local loss of a CRF, whose gradient by log P is 1 for every sentence, the risk has a say only with alpha = 1 and a small weight
  // of that loss; with mu = 1/2 it reaches the relations as well.
  strong_risk(cost='both', gamma=false): $.minimum_risk(
    0, cost, gamma, num_samples=5, alpha=1.0, mu=0.5, rival='other', local_weight=0.2
  ),

  // Start from the weights of a run with the same data.
  weights(file): { model+: { initializer: { regexes: [['.*', { type: 'pretrained', weights_file_path: file }]] } } },
}
