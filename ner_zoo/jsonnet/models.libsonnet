// Models with their heads, representations and decoders.
local sampler(max_spans, batch_size, shuffle) = {
  batch_sampler: { type: 'span_budget', max_spans: max_spans, batch_size: batch_size, shuffle: shuffle },
};

{
  // ---- Models

  // One tag per token.
  tagger: { dataset_reader+: { view+: { type: 'tags' } }, model+: { type: 'tagger' } },

  // One label per span: candidates up to a maximum width, batches limited by their number of spans, and a two-layer
  // network on the endpoints and the width of each span.
  span(max_width=10, batch_size=16, max_spans=32768, dim=150, dropout=0.2): {
    data_loader: sampler(max_spans, batch_size, true),
    validation_data_loader: sampler(max_spans, 4 * batch_size, false),
    system+:: {
      dataset_reader+: { view: { type: 'spans', candidates: { type: 'contiguous', max_width: max_width } } },
      model+: {
        type: 'span',
        representation: { type: 'projected_endpoints', dim: dim, max_width: max_width, dropout: dropout },
        feedforward: { num_layers: 1, hidden_dims: dim, activations: 'relu', dropout: dropout },
        head: 'softmax',
      },
    },
  },

  // Types for given spans: a BiLSTM with attention over the span's own tokens only, with dropout on their vectors. Add it
  // to use.span().
  typing(hidden=200, dropout=0.0): $.pass_through + {
    dataset_reader+: { view+: { candidates: 'gold' } },
    model+: {
      representation: { type: 'span_attention', hidden_size: hidden },
      feedforward:: null,
      [if dropout > 0.0 then 'embedding_dropout']: dropout,
    },
    trainer+: { validation_metric: '+typing_accuracy' },
  },

  // Entities and relations on top of one encoder; the best epoch is chosen by relation F1. See LocalJointLoss for
  // `average` and `gold_pairs`.
  joint_relation(average='positions', gold_pairs='all'): {
    system+:: { dataset_reader+: { view: { type: 'joint', scheme: 'BIOUL' } } },
    model+: { type: 'joint_relation', average: average, gold_pairs: gold_pairs },
    trainer+: { validation_metric: '+relation_f1' },
  },

  // ---- Heads

  crf: { model+: { head: { type: 'crf' } } },
  label_aware_crf(tau=0.25, max_zeta=null): { model+: { head: { type: 'label_aware_crf', tau: tau, max_zeta: max_zeta } } },
  softmax: { model+: { head: { type: 'softmax' } } },

  // For spans: a biaffine function of the two endpoints.
  biaffine(dim=150, dropout=0.2): { model+: {
    representation: { type: 'separate_endpoints', dim: dim, dropout: dropout },
    feedforward:: null,
    head: 'biaffine',
  } },

  // For spans: a pretrained encoder, by name or folder, that reads each sentence after a question about each type,
  // { TYPE: question }. The other options are those of use.encoder.
  machine_reading(name, questions, frozen=false, rate=2e-5, head_rate=5e-4, warmup=0.1, epochs=10, max_length=384, dim=150, dropout=0.2):
    $.encoder(name, frozen, rate, head_rate, warmup, epochs, max_length) + {
      local types = std.objectFields(questions),
      inputs+:: { encoder+: { embedder: {
        type: 'question_encoder',
        model_name: name,
        questions: questions,
        max_length: max_length,
        train_parameters: !frozen,
      } } },
      model+: {
        representation: { type: 'question_spans', types: std.length(types), dim: dim, dropout: dropout },
        feedforward:: null,
        head: { type: 'question_scores', types: types },
      },
    },

  // ---- Decoders of spans: flat (the best set without overlaps) or nested (no crossing entities). Without one, each
  // span gets its best label.

  flat: { model+: { decoder: 'exact' } },
  nested: { model+: { decoder: 'nested' } },
  crossing: { model+: { decoder: { type: 'nested', may_cross: true } } },
}
