"""
Sums of probabilities in log space, where -inf means impossible.

The gradient of torch's own `logsumexp` is NaN if nothing is possible, and one such sentence would spread it to every
parameter; here that gradient is 0.
"""

from math import inf

import torch
from torch import Tensor


def log_sum_exp(scores: Tensor, dim: int) -> Tensor:
    impossible = (scores.detach() == -inf).all(dim, keepdim=True)
    total = scores.masked_fill(impossible, 0.0).logsumexp(dim)
    return total.masked_fill(impossible.squeeze(dim), -inf)


def conditional_entropy(scores: Tensor, dim: int, before: Tensor | None = None) -> Tensor:
    """
    The entropy of the choice along `dim`, with probabilities proportional to `exp(scores)`, plus the expected entropy
    `before` it; 0 if nothing is possible.
    """
    impossible = (scores.detach() == -inf).all(dim, keepdim=True)
    log_probabilities = scores.masked_fill(impossible, 0.0).log_softmax(dim)
    surprise = -log_probabilities.masked_fill(log_probabilities == -inf, 0.0)
    undecided = surprise if before is None else surprise + before
    return (log_probabilities.exp() * undecided).sum(dim).masked_fill(impossible.squeeze(dim), 0.0)


def at_least_float32(scores: Tensor) -> Tensor:
    """Sums over many labellings need more precision than autocast's half precision."""
    return scores.float() if scores.dtype in (torch.float16, torch.bfloat16) else scores


def choose(log_weights: Tensor, uniform: Tensor) -> Tensor:
    """
    One index of the last dimension per draw of `uniform` from [0, 1), with probability proportional to its weight; 0 if
    no index is possible.
    """
    peak = log_weights.amax(-1, keepdim=True)
    weights = (log_weights - peak.masked_fill(peak == -inf, 0.0)).double().exp()
    cumulative = weights.cumsum(-1)
    threshold = uniform.double().unsqueeze(-1) * cumulative[..., -1:]
    index = (cumulative <= threshold).sum(-1)
    return index.masked_fill((peak == -inf).squeeze(-1), 0)
