// Training: batches, optimizers, learning rates, and the callbacks of the papers.
{
  // Batches of sentences of similar length, with little padding; `in_memory` sentences at a time, or all of them.
  batches(size, in_memory=null): {
    data_loader: {
      batch_sampler: { type: 'bucket', batch_size: size, sorting_keys: ['text'], padding_noise: 0.2 },
      [if in_memory == null then null else 'max_instances_in_memory']: in_memory,
    },
  },

  // ---- Optimizer and weights

  // The optimizer of the joint models' paper.
  adadelta: { trainer+: { optimizer: { type: 'adadelta', lr: 1.0, rho: 0.9, eps: 1e-6 }, grad_norm: 1.0 } },

  // lr_t = max(lr / (1 + rho t), floor) after t epochs.
  inverse_decay(rho=0.05, floor=1e-4): {
    trainer+: { learning_rate_scheduler: { type: 'inverse_decay', rho: rho, floor: floor } },
  },

  // Validation and archive use an exponential moving average of the weights over about the last 1 / (1 - decay) steps.
  moving_average(decay=0.999): { trainer+: { moving_average: { type: 'exponential', decay: decay } } },

  // Start from the weights of a run with the same data.
  weights(file): { model+: { initializer: { regexes: [['.*', { type: 'pretrained', weights_file_path: file }]] } } },

  // Continue the run of another config of the same `allennlp compare`, with a relation head that sees predicted tags.
  tuned(config, epochs=8): $.weights('{run:' + config + '}/best.th') + $.scheduled_sampling(k=0.1) + {
    trainer+: { num_epochs: epochs, patience: epochs, optimizer+: { lr: 0.0002 } },
  },

  // ---- Distillation

  // A tagger learns from its own loss and from the marginals of a teacher, the archive of a tagger with the same tags;
  // optionally also on `unlabelled`, a list of text files with one text per line. In a comparison:
  // use.distilled_from('{run:teacher}/model.tar.gz').
  distilled_from(teacher, weight=0.5, temperature=1.0, unlabelled=[]): {
    callbacks+:: { distillation: {
      type: 'distillation',
      teacher: teacher,
      weight: weight,
      temperature: temperature,
      unlabelled: unlabelled,
    } },
  },

  // ---- New types

  // Add types to a trained model, using data that annotates only the new types. Everything else is as in the old model:
  // add this part to its config, with another corpus. The old weights are kept and the head grows. The old model labels
  // the data with its own types where its confidence is at least `predictions`; the rest is O, or with
  // uncovered='UNKNOWN' either O or an old type; use.partial_likelihood() sums over these. With predictions=null the
  // old model labels nothing, and every unannotated token is unknown. `rate` defaults to the learning rate of the config.
  extend(archive, predictions=0.5, uncovered=if predictions == null then 'UNKNOWN' else 'O', epochs=10, rate=null): {
    local config = self,
    local sources = if predictions == null then [] else [$.predictions(archive, predictions)],
    vocabulary+: { type: 'extend_archive', archive: archive },
    dataset_reader+: { weak: { sources: sources, uncovered: uncovered } },
    validation_dataset_reader: config.dataset_reader { annotation_dropout:: null, weak:: null },
    loss:: { type: 'partial_likelihood' },
    callbacks+:: { extend: { type: 'extend', archive: archive } },
    trainer+: { num_epochs: epochs } + (if rate == null then {} else { optimizer+: { lr: rate } }),
  },

  // ---- Adversarial training. `epsilon` is one number, or one per embedder: {words: 0.1, characters: 0.3}.

  adversarial_training(epsilon=5.0, weight=1.0, norm='absolute', start_epoch=0, embedders=null): {
    callbacks+:: { adversarial_training: {
      type: 'adversarial_training',
      epsilon: epsilon,
      weight: weight,
      norm: norm,
      start_epoch: start_epoch,
      embedders: embedders,
    } },
  },

  // ---- Joint models

  // The relation head sees gold tags with probability k / (k + exp(epoch / k)), otherwise predicted ones.
  scheduled_sampling(k=10): { callbacks+:: { scheduled_sampling: { type: 'scheduled_sampling', k: k } } },

  // Minimum risk training, after `start_epoch` epochs with the local loss alone. To fine-tune a trained model instead,
  // add use.weights('nn/best.th') and use.minimum_risk(0, ...), or `from_archive` and the archive's vocabulary:
  //   model: { type: 'from_archive', archive_file: 'nn/model.tar.gz' }, vocabulary: { type: 'from_files', directory: 'nn/vocabulary' }
  // The defaults are the paper's: K = 3 and alpha = 1e-4 with a cost alone, K = 2 and alpha = 1 with the learned loss Gamma.
  minimum_risk(
    start_epoch,
    cost='both',
    gamma=false,
    sample_relations=true,
    num_samples=null,
    alpha=null,
    mu=1.0,
    rival='any',
    local_weight=1.0,
    epsilon=0.1,
    max_draws=null,
    draw_with_dropout=true
  ): {
    callbacks+:: { mrt_sampling: {
      type: 'mrt_sampling',
      start_epoch: start_epoch,
      local_weight: local_weight,
      draw_with_dropout: draw_with_dropout,
      risk: {
        type: 'minimum_risk',
        cost: cost,
        gamma: gamma,
        num_samples: if num_samples != null then num_samples else if gamma then 2 else 3,
        alpha: if alpha != null then alpha else if gamma then 1.0 else 0.0001,
        mu: mu,
        rival: rival,
        epsilon: epsilon,
        max_draws: max_draws,
        sample_relations: sample_relations,
      },
    } },
  },

  // Next to the local loss of a CRF, whose gradient with respect to log P is 1 for every sentence, the risk only
  // matters with alpha = 1 and a small weight of that loss; with mu = 1/2 it also reaches the relations. The samples
  // are drawn from the model itself (epsilon = 0): others are so improbable that the risk has hardly any gradient.
  strong_risk(cost='both', gamma=false, sample_relations=true, draw_with_dropout=true): $.minimum_risk(
    0,
    cost,
    gamma,
    sample_relations,
    num_samples=12,
    alpha=1.0,
    mu=0.5,
    rival='other',
    local_weight=0.05,
    epsilon=0.0,
    max_draws=60,
    draw_with_dropout=draw_with_dropout
  ),
}
