"""Sums over all labellings, kept as logarithms, and labellings drawn by them."""

from math import inf

from torch import LongTensor, Tensor

from ner_zoo.structures.chain_torch.labelling import score
from ner_zoo.structures.chain_torch.recursion import backward, finish, forward, trace
from ner_zoo.structures.log_space import choose, log_sum_exp
from ner_zoo.structures.potentials import Potentials


def log_partition(chain: Potentials) -> Tensor:
    chain = chain.legal()
    return finish(chain, forward(chain, log_sum_exp), log_sum_exp)


def log_likelihood(chain: Potentials, labels: LongTensor) -> Tensor:
    return score(chain, labels) - log_partition(chain)


def marginals(chain: Potentials) -> Tensor:
    chain = chain.legal()
    before, after = forward(chain, log_sum_exp), backward(chain, log_sum_exp)
    log_partition = finish(chain, before, log_sum_exp)
    log_partition = log_partition.masked_fill(log_partition == -inf, 0.0)
    joint = (before + after - log_partition[:, None, None]).exp()
    return joint.masked_fill(~chain.mask.unsqueeze(2), 0.0)


def sample(chain: Potentials, uniform: Tensor) -> LongTensor:
    """uniform : `(n, batch, positions)`, numbers drawn from [0, 1), one per label to choose."""
    chain = chain.legal()
    before = forward(chain, log_sum_exp).expand(uniform.shape[0], -1, -1, -1)
    return trace(chain, before, lambda position, weights: choose(weights, uniform[:, :, position]))
