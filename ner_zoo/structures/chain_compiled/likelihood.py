"""
The log-likelihood of a labelling, with its gradient written in one go: what the labelling has less what is expected.

The same as `score - log_partition`, without two gradients of all scores and their difference.
"""

from typing import Any

import torch
from torch import LongTensor, Tensor

from ner_zoo.structures import chain_torch, kernels
from ner_zoo.structures.chain_compiled.arrays import Gradients, array, differentiable_gradients, forward
from ner_zoo.structures.chain_compiled.labelling import totals_of
from ner_zoo.structures.chain_compiled.sums import add_undone, expectations
from ner_zoo.structures.potentials import Potentials


def log_likelihood(chain: Potentials, labels: LongTensor) -> Tensor:
    return _LogLikelihood.apply(*chain[:4], chain[4:], labels)


class _LogLikelihood(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, scores: Tensor, transitions: Tensor, start: Tensor, end: Tensor, rest: tuple, labels: Tensor
    ) -> Tensor:
        chain = Potentials(scores, transitions, start, end, *rest)
        ctx.save_for_backward(*chain[:4], labels)
        ctx.rest = rest
        ctx.sums = forward(chain)
        ctx.undone = ctx.sums.undone()
        found = torch.from_numpy(totals_of(chain, labels) - ctx.sums.totals).to(scores.dtype)
        if ctx.undone is not None:
            found[ctx.undone] = chain_torch.log_likelihood(chain.rows(ctx.undone), labels[ctx.undone])
        return found

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        *inputs, labels = ctx.saved_tensors
        if torch.is_grad_enabled():
            found = differentiable_gradients(ctx, lambda chain: chain_torch.log_likelihood(chain, labels), gradient)
            return *found, None, None
        chain = Potentials(*inputs, *ctx.rest)
        gradients = expectations(chain, ctx.sums, -gradient)
        if ctx.undone is not None:
            add_undone(chain, ctx.undone, -gradient, gradients)
        arrays = (part.numpy() for part in gradients)
        kernels.labelling_gradient(array(gradient), array(labels), chain.lengths, *arrays)
        return *gradients, None, None
