"""
Operations of a linear chain on the CPU with compiled loops; the same functions and results as `chain_torch`.

Falls back to `chain_torch` for sentences whose scores differ so much that probabilities vanish, and for second
derivatives. The gradient of the log-likelihood is computed in one pass, as observed minus expected counts, without two
gradients of all scores and their difference.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy import ndarray
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures import chain_torch, kernels
from ner_zoo.structures.chunks import ChunkRules, Chunks
from ner_zoo.structures.potentials import Potentials
from ner_zoo.structures.structure import known

Gradients = tuple[Tensor | None, ...]


def lengths(mask: BoolTensor) -> ndarray:
    """The number of positions of each sentence."""
    found, wrong = kernels.lengths_of(_array(mask))
    if wrong >= 0:
        raise ValueError(
            f"The mask of sentence {wrong} of the batch has a gap. It must be true for the first positions of each "
            f"sentence, and false for the padding after them."
        )
    return found


def score(chain: Potentials, labels: LongTensor) -> Tensor:
    return _Score.apply(*chain[:4], chain[4:], labels)


def log_partition(chain: Potentials) -> Tensor:
    return _LogPartition.apply(*chain[:4], chain[4:])


def log_likelihood(chain: Potentials, labels: LongTensor) -> Tensor:
    return _LogLikelihood.apply(*chain[:4], chain[4:], labels)


def marginals(chain: Potentials) -> Tensor:
    return _Marginals.apply(*chain[:4], chain[4:])


def entropy(chain: Potentials) -> Tensor:
    return _Entropy.apply(*chain[:4], chain[4:])


def best(chain: Potentials) -> tuple[LongTensor, Tensor]:
    labels, totals = kernels.best_labelling(*_arguments(chain), 0)
    return torch.from_numpy(labels), torch.from_numpy(totals)


def n_best(chain: Potentials, n: int) -> tuple[LongTensor, Tensor]:
    labels, totals = kernels.n_best_labellings(*_arguments(chain), n)
    return torch.from_numpy(labels), torch.from_numpy(totals)


def sample(chain: Potentials, uniform: Tensor) -> LongTensor:
    """uniform : `(n, batch, positions)`, numbers drawn from [0, 1), one per label to sample."""
    sums, order = _forward(chain), chain.constraints.order
    found = kernels.draw(_array(uniform), chain.lengths, order, sums.totals, sums.before, sums.steps, sums.end)
    drawn = torch.from_numpy(found)
    undone = sums.undone()
    if undone is not None:
        drawn[:, undone] = chain_torch.sample(chain.rows(undone), uniform[:, undone])
    return drawn


def chunk_marginals(chain: Potentials, chunks: Chunks, rules: ChunkRules) -> Tensor:
    """`(chunks,)`"""
    sums, order = _forward(chain), chain.constraints.order
    no_weight = np.zeros(len(chain.lengths))
    after, _ = kernels.backward_sums(no_weight, chain.lengths, chain.constraints.runs, *sums)
    found = kernels.chunk_probabilities(
        _array(torch.stack(list(chunks), 1)),
        *(_array(table) for table in rules),
        *(chain.lengths, order, sums.totals, sums.local, sums.before, after, sums.scale, sums.steps),
    )
    probabilities = torch.from_numpy(found).to(chain.scores.dtype)
    undone = sums.undone()
    if undone is not None:
        again = undone[chunks.sentence]
        probabilities[again] = chain_torch.chunk_marginals(chain, Chunks(*(part[again] for part in chunks)), rules)
    return probabilities


class _Sums(NamedTuple):
    """Results of the forward loop for later use; `totals` is NaN for sentences that it could not process."""

    totals: ndarray
    local: ndarray
    before: ndarray
    scale: ndarray
    steps: ndarray
    end: ndarray

    def undone(self) -> Tensor | None:
        """True for the sentences that need log space; `None` if there are none."""
        undone = np.isnan(self.totals)
        return torch.from_numpy(undone) if undone.any() else None


def _forward(chain: Potentials) -> _Sums:
    return _Sums(*kernels.forward_sums(*_arguments(chain)))


class _Score(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, scores: Tensor, transitions: Tensor, start: Tensor, end: Tensor, rest: tuple, labels: Tensor
    ) -> Tensor:
        ctx.save_for_backward(scores, transitions, start, end, labels)
        ctx.rest = rest
        return torch.from_numpy(_totals_of(Potentials(scores, transitions, start, end, *rest), labels)).to(scores.dtype)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        *inputs, labels = ctx.saved_tensors
        if torch.is_grad_enabled():
            found = _differentiable_gradients(ctx, lambda chain: chain_torch.score(chain, labels), gradient)
            return *found, None, None
        gradients = [part.new_zeros(part.shape) for part in inputs]
        kernels.labelling_gradient(_array(gradient), _array(labels), ctx.rest[2], *(part.numpy() for part in gradients))
        return *gradients, None, None


class _LogPartition(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, transitions: Tensor, start: Tensor, end: Tensor, rest: tuple) -> Tensor:
        chain = Potentials(scores, transitions, start, end, *rest)
        ctx.save_for_backward(*chain[:4])
        ctx.rest = rest
        ctx.sums = _forward(chain)
        ctx.undone = ctx.sums.undone()
        totals = torch.from_numpy(ctx.sums.totals).to(scores.dtype, copy=True)
        if ctx.undone is not None:
            totals[ctx.undone] = chain_torch.log_partition(chain.rows(ctx.undone))
        return totals

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        if torch.is_grad_enabled():
            return *_differentiable_gradients(ctx, chain_torch.log_partition, gradient), None
        return *_partition_gradients(ctx, gradient), None


class _LogLikelihood(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, scores: Tensor, transitions: Tensor, start: Tensor, end: Tensor, rest: tuple, labels: Tensor
    ) -> Tensor:
        chain = Potentials(scores, transitions, start, end, *rest)
        ctx.save_for_backward(*chain[:4], labels)
        ctx.rest = rest
        ctx.sums = _forward(chain)
        ctx.undone = ctx.sums.undone()
        found = torch.from_numpy(_totals_of(chain, labels) - ctx.sums.totals).to(scores.dtype)
        if ctx.undone is not None:
            found[ctx.undone] = chain_torch.log_likelihood(chain.rows(ctx.undone), labels[ctx.undone])
        return found

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        labels = ctx.saved_tensors[4]
        if torch.is_grad_enabled():
            found = _differentiable_gradients(ctx, lambda chain: chain_torch.log_likelihood(chain, labels), gradient)
            return *found, None, None
        gradients = _partition_gradients(ctx, -gradient)
        kernels.labelling_gradient(_array(gradient), _array(labels), ctx.rest[2], *(part.numpy() for part in gradients))
        return *gradients, None, None


class _Marginals(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, transitions: Tensor, start: Tensor, end: Tensor, rest: tuple) -> Tensor:
        chain = Potentials(scores, transitions, start, end, *rest)
        ctx.save_for_backward(*chain[:4])
        ctx.rest = rest
        sums = _forward(chain)
        found = _expectations(chain, sums, torch.ones(len(scores)))[0]
        undone = sums.undone()
        if undone is not None:
            found[undone] = chain_torch.marginals(chain.rows(undone))
        return found

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        return *_differentiable_gradients(ctx, chain_torch.marginals, gradient), None


class _Entropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, transitions: Tensor, start: Tensor, end: Tensor, rest: tuple) -> Tensor:
        chain = Potentials(scores, transitions, start, end, *rest)
        ctx.save_for_backward(*chain[:4])
        ctx.rest = rest
        sums = _forward(chain)
        runs = chain.constraints.runs
        found = kernels.chain_entropy(chain.lengths, runs, sums.totals, sums.before, sums.steps, sums.end)
        entropies = torch.from_numpy(found).to(scores.dtype)
        undone = sums.undone()
        if undone is not None:
            entropies[undone] = chain_torch.entropy(chain.rows(undone))
        return entropies

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        return *_differentiable_gradients(ctx, chain_torch.entropy, gradient), None


def _partition_gradients(ctx: Any, gradient: Tensor) -> tuple[Tensor, ...]:
    """The gradients of the log-partition, with torch for the sentences that the loops could not process."""
    chain = Potentials(*ctx.saved_tensors[:4], *ctx.rest)
    gradients = _expectations(chain, ctx.sums, gradient)
    if ctx.undone is not None:
        with torch.enable_grad():
            inputs = tuple(part.detach().requires_grad_() for part in chain[:4])
            totals = chain_torch.log_partition(Potentials(*inputs, *ctx.rest).rows(ctx.undone))
            for whole, part in zip(gradients, torch.autograd.grad(totals, inputs, gradient[ctx.undone])):
                whole += part
    return gradients


def _expectations(chain: Potentials, sums: _Sums, weights: Tensor) -> tuple[Tensor, ...]:
    """The gradients of the log-partition: expected labels, transitions, first and last labels, weighted by sentence."""
    lengths, order, weight = chain.lengths, chain.constraints.order, _array(weights.double())
    after, counts = kernels.backward_sums(weight, lengths, chain.constraints.runs, *sums)
    found = (chain.scores.new_empty(chain.scores.shape), *(part.new_zeros(part.shape) for part in chain[1:4]))
    expected = (part.numpy() for part in found)
    kernels.spread(weight, lengths, order, sums.totals, sums.before, after, counts, *expected)
    return found


def _differentiable_gradients(ctx: Any, verb: Callable[[Potentials], Tensor], gradient: Tensor) -> Gradients:
    """The gradients of an operation by torch, differentiable again if gradients are being recorded."""
    inputs = ctx.saved_tensors[:4]
    is_recorded = torch.is_grad_enabled()
    with torch.enable_grad():
        if not is_recorded:
            inputs = tuple(part.detach().requires_grad_() for part in inputs)
        wanted = [part for part, is_wanted in zip(inputs, ctx.needs_input_grad) if is_wanted]
        value = verb(Potentials(*inputs, *ctx.rest))
        found = torch.autograd.grad(value, wanted, gradient, create_graph=is_recorded, allow_unused=True)
    gradients = iter(found)
    return tuple(next(gradients) if is_wanted else None for is_wanted in ctx.needs_input_grad[:4])


def _totals_of(chain: Potentials, labels: LongTensor) -> ndarray:
    totals, is_wrong = kernels.labelling_score(*(_array(part) for part in chain[:4]), _array(labels), chain.lengths)
    if is_wrong:
        known(labels, chain.mask, chain.scores.shape[2])
    return totals


def _arguments(chain: Potentials) -> tuple[ndarray, ...]:
    """The arguments of the loops: scores, transitions, start, end, lengths, order, runs, penalties."""
    legal = chain.constraints
    return *(_array(part) for part in chain[:4]), chain.lengths, legal.order, legal.runs, legal.penalties


def _array(tensor: Tensor) -> ndarray:
    return tensor.detach().contiguous().numpy()
