"""Sums over all labellings, with their gradients."""

from typing import Any, Tuple

import torch
from torch import Tensor

from ner_zoo.structures import chain_torch, kernels
from ner_zoo.structures.chain_compiled.arrays import Gradients, Sums, array, differentiable_gradients, forward
from ner_zoo.structures.potentials import Potentials


def log_partition(chain: Potentials) -> Tensor:
    return _LogPartition.apply(*chain[:4], chain[4:])


def marginals(chain: Potentials) -> Tensor:
    return _Marginals.apply(*chain[:4], chain[4:])


class _LogPartition(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, transitions: Tensor, start: Tensor, end: Tensor, rest: tuple) -> Tensor:
        chain = Potentials(scores, transitions, start, end, *rest)
        ctx.save_for_backward(*chain[:4])
        ctx.rest = rest
        ctx.sums = forward(chain)
        ctx.undone = ctx.sums.undone()
        totals = torch.from_numpy(ctx.sums.totals).to(scores.dtype, copy=True)
        if ctx.undone is not None:
            totals[ctx.undone] = chain_torch.log_partition(chain.rows(ctx.undone))
        return totals

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        if torch.is_grad_enabled():
            return *differentiable_gradients(ctx, chain_torch.log_partition, gradient), None
        chain = Potentials(*ctx.saved_tensors, *ctx.rest)
        gradients = expectations(chain, ctx.sums, gradient)
        if ctx.undone is not None:
            add_undone(chain, ctx.undone, gradient, gradients)
        return *gradients, None


class _Marginals(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, transitions: Tensor, start: Tensor, end: Tensor, rest: tuple) -> Tensor:
        chain = Potentials(scores, transitions, start, end, *rest)
        ctx.save_for_backward(*chain[:4])
        ctx.rest = rest
        sums = forward(chain)
        found = expectations(chain, sums, torch.ones(len(scores)))[0]
        undone = sums.undone()
        if undone is not None:
            found[undone] = chain_torch.marginals(chain.rows(undone))
        return found

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        return *differentiable_gradients(ctx, chain_torch.marginals, gradient), None


def add_undone(chain: Potentials, undone: Tensor, gradient: Tensor, gradients: Tuple[Tensor, ...]) -> None:
    """Adds the gradients of the sentences that the loops could not do to those of the others."""
    with torch.enable_grad():
        inputs = tuple(part.detach().requires_grad_() for part in chain[:4])
        scores, transitions, start, end = inputs
        again = chain._replace(scores=scores, transitions=transitions, start=start, end=end)
        totals = chain_torch.log_partition(again.rows(undone))
        for whole, part in zip(gradients, torch.autograd.grad(totals, inputs, gradient[undone])):
            whole += part


def expectations(chain: Potentials, sums: Sums, weights: Tensor) -> Tuple[Tensor, ...]:
    """The gradients of the log-partition: expected labels, steps, first and last labels of the weighted sentences."""
    lengths, order, weight = chain.lengths, chain.constraints.order, array(weights.double())
    after, counts = kernels.backward_sums(weight, lengths, chain.constraints.runs, *sums)
    found = (chain.scores.new_empty(chain.scores.shape), *(part.new_zeros(part.shape) for part in chain[1:4]))
    expected = (part.numpy() for part in found)
    kernels.spread(weight, lengths, order, sums.totals, sums.before, after, counts, *expected)
    return found
