"""Labellings drawn at random."""

import torch
from torch import LongTensor, Tensor

from ner_zoo.structures import chain_torch, kernels
from ner_zoo.structures.chain_compiled.arrays import array, forward
from ner_zoo.structures.potentials import Potentials


def sample(chain: Potentials, uniform: Tensor) -> LongTensor:
    """uniform : `(n, batch, positions)`, numbers drawn from [0, 1), one per label to choose."""
    sums = forward(chain)
    drawn = torch.from_numpy(
        kernels.draw(
            array(uniform), chain.lengths, chain.constraints.order, sums.totals, sums.before, sums.steps, sums.end
        )
    )
    undone = sums.undone()
    if undone is not None:
        drawn[:, undone] = chain_torch.sample(chain.rows(undone), uniform[:, undone])
    return drawn
