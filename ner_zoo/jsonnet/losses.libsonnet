// Losses: one per experiment, and use.plus_focal to add to it.

// A loss with the altered labelling u: the O before the first entity becomes an entity of this type.
local multi_constraint(type, entity_type, options={}) = { loss:: {
  type: type,
  altered_labelling: { type: 'false_positive', entity_type: entity_type },
} + options };

{
  nll: { loss:: 'nll' },

  // ---- The hinge family

  hinge: { loss:: 'hinge' },
  hinge_yu(entity_type='ORG'): multi_constraint('hinge_yu', entity_type),
  double_hinge(entity_type='ORG'): multi_constraint('double_hinge', entity_type),
  discounted_margin(entity_type='ORG', df=0.925): multi_constraint('discounted_margin', entity_type, { df: df }),
  softmax_margin: { loss:: 'softmax_margin' },
  // The same with a higher cost for missed entities, for more recall. With false_positive=0, recall rises further.
  priced_margin(false_negative=3.0, false_positive=1.0): { loss:: {
    type: 'softmax_margin',
    cost: { type: 'weighted_hamming', false_negative: false_negative, false_positive: false_positive },
  } },

  // The same with the costs that F1 itself sets, given the F1 to exceed, such as that of the likelihood on development
  // data: 2 TP / (gold + predicted) > F, if (2 - F) missed + F spurious + 2 confused is small enough.
  f1_margin(f1): { loss:: {
    assert f1 >= 0 && f1 <= 1 : 'use.f1_margin: f1 is %g. Set it to a number from 0 to 1.' % f1,
    type: 'softmax_margin',
    cost: { type: 'weighted_hamming', false_negative: 2 - f1, false_positive: f1, confusion: 2.0 },
  } },

  // ---- For missing annotations

  // `noise`: the estimated share of unlabelled entities. The fewer are missing, the longer cross entropy is kept (w)
  // and the more background counts (keep, at least a quarter). Without it, both are as in the paper, whose annotation
  // is very noisy.
  nrces(w=null, keep=null, cross_entropy_on='entities', robust_on='background', noise=null): { loss:: {
    local by_noise(value, formula, unknown) = if value != null then value else if noise != null then formula else unknown,
    type: 'nrces',
    w: by_noise(w, 5.0 / std.max(noise, 0.125), 5.0),
    keep: by_noise(keep, std.max(1.0 - noise, 0.25), 0.5),
    cross_entropy_on: cross_entropy_on,
    robust_on: robust_on,
  } },
  negative_sampling(rate=0.35): { loss:: { type: 'negative_sampling', rate: rate } },
  weighted_negative_sampling(rate=0.35): { loss:: { type: 'weighted_negative_sampling', rate: rate } },
  positive_unlabelled(prior=0.01, weight=200.0): { loss:: { type: 'positive_unlabelled', prior: prior, weight: weight } },
  partial_likelihood(background_weight=null, self_weight=0.0): { loss:: {
    type: 'partial_likelihood',
    background_weight: background_weight,
    self_weight: self_weight,
  } },

  // ---- Additional losses

  // The published code uses reduction='mean' and wrong_labels=true.
  plus_focal(gamma=2.0, weight=1.0, reduction='sum', wrong_labels=false): {
    local extra = if wrong_labels then { wrong_labels: true } else {},
    added_losses+:: { focal: { loss: { type: 'focal', gamma: gamma, reduction: reduction } + extra, weight: weight } },
  },
}
