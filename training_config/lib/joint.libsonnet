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
  ace05: corpus('ace05', 'ace05/corpus/train', 'ace05/corpus/dev'),
  nyt: corpus('nyt', 'nyt/train.json', 'nyt/dev.json'),

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

  // Batches of sentences of similar length: little padding.
  batches(size): {
    data_loader: { batch_sampler: { type: 'bucket', batch_size: size, sorting_keys: ['text'], padding_noise: 0.2 } },
  },

  // ---- Model

  // Entities and relations over one encoder; models are selected by relation F1.
  joint_relation: {
    model+: { type: 'joint_relation' },
    trainer+: { validation_metric: '+relation_f1' },
  },

  // The relation head sees gold tags with probability k / (k + exp(epoch / k)), predicted ones else.
  scheduled_sampling(k=10): { trainer+: { callbacks+: [{ type: 'scheduled_sampling', k: k }] } },

  // ---- Minimum risk training after `start_epoch` epochs with the local loss alone

  minimum_risk(cost='both', start_epoch=0, num_samples=3, alpha=0.0001, mu=1.0, sample_relations=true): {
    trainer+: { callbacks+: [{
      type: 'mrt_sampling',
      start_epoch: start_epoch,
      cost: cost,
      num_samples: num_samples,
      alpha: alpha,
      mu: mu,
      sample_relations: sample_relations,
    }] },
  },
}
