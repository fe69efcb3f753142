"""The score of one given labelling, with its gradient."""

from typing import Any

import torch
from numpy import ndarray
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures import chain_torch, kernels
from ner_zoo.structures.chain_compiled.arrays import Gradients, array, differentiable_gradients
from ner_zoo.structures.potentials import Potentials
from ner_zoo.structures.structure import known


def lengths(mask: BoolTensor) -> ndarray:
    """The number of positions of each sentence."""
    found, wrong = kernels.lengths_of(array(mask))
    if wrong >= 0:
        raise ValueError(
            f"The mask of sentence {wrong} of the batch has a gap. Positions are filled from the left: true for the "
            "first ones of each sentence, false for the padding after them."
        )
    return found


def score(chain: Potentials, labels: LongTensor) -> Tensor:
    return _Score.apply(*chain[:4], chain[4:], labels)


def totals_of(chain: Potentials, labels: LongTensor) -> ndarray:
    totals, is_wrong = kernels.labelling_score(*(array(part) for part in chain[:4]), array(labels), chain.lengths)
    if is_wrong:
        known(labels, chain.mask, chain.scores.shape[2])
    return totals


class _Score(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, scores: Tensor, transitions: Tensor, start: Tensor, end: Tensor, rest: tuple, labels: Tensor
    ) -> Tensor:
        ctx.save_for_backward(scores, transitions, start, end, labels)
        ctx.rest = rest
        return torch.from_numpy(totals_of(Potentials(scores, transitions, start, end, *rest), labels)).to(scores.dtype)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        *inputs, labels = ctx.saved_tensors
        if torch.is_grad_enabled():
            found = differentiable_gradients(ctx, lambda chain: chain_torch.score(chain, labels), gradient)
            return *found, None, None
        gradients = [part.new_zeros(part.shape) for part in inputs]
        kernels.labelling_gradient(array(gradient), array(labels), ctx.rest[2], *(part.numpy() for part in gradients))
        return *gradients, None, None
