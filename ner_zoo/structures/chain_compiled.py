"""
The verbs of a linear chain on the CPU, by compiled loops; the same functions and results as `chain_torch`.

What the loops leave undone goes there: sentences whose scores differ so much that their probabilities vanish, and
gradients of gradients.
"""

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
import torch
from numpy import ndarray
from torch import LongTensor, Tensor

from ner_zoo.structures import chain_torch, kernels
from ner_zoo.structures.chain_constraints import ChainConstraints
from ner_zoo.structures.chunks import ChunkRules, Chunks
from ner_zoo.structures.potentials import Potentials
from ner_zoo.structures.structure import known

Gradients = Tuple[Optional[Tensor], ...]


class _Sums(NamedTuple):
    """What the forward loop leaves for others; `totals` is NaN for the sentences it could not do."""

    totals: ndarray
    local: ndarray
    before: ndarray
    scale: ndarray
    steps: ndarray
    end: ndarray

    @property
    def undone(self) -> Optional[Tensor]:
        undone = np.isnan(self.totals)
        return torch.from_numpy(undone) if undone.any() else None


def score(chain: Potentials, labels: LongTensor) -> Tensor:
    return _Score.apply(chain.scores, chain.transitions, chain.start, chain.end, chain.mask, labels)


def log_partition(chain: Potentials) -> Tensor:
    return _LogPartition.apply(chain.scores, chain.transitions, chain.start, chain.end, chain.mask, chain.constraints)


def marginals(chain: Potentials) -> Tensor:
    return _Marginals.apply(chain.scores, chain.transitions, chain.start, chain.end, chain.mask, chain.constraints)


def best(chain: Potentials) -> Tuple[LongTensor, Tensor]:
    labels, totals = kernels.best_labelling(*_arrays(chain), *_layout(chain))
    return torch.from_numpy(labels), torch.from_numpy(totals)


def n_best(chain: Potentials, n: int) -> Tuple[LongTensor, Tensor]:
    labels, totals = kernels.n_best_labellings(*_arrays(chain), *_layout(chain), n)
    return torch.from_numpy(labels), torch.from_numpy(totals)


def sample(chain: Potentials, uniform: Tensor) -> LongTensor:
    lengths, order, _ = _layout(chain)
    sums = _forward(chain)
    drawn = torch.from_numpy(
        kernels.draw(uniform.numpy(), lengths, order, sums.totals, sums.before, sums.steps, sums.end)
    )
    if sums.undone is not None:
        drawn[:, sums.undone] = chain_torch.sample(chain.rows(sums.undone), uniform[:, sums.undone])
    return drawn


def chunk_marginals(chain: Potentials, chunks: Chunks, rules: ChunkRules) -> Tensor:
    lengths, order, runs = _layout(chain)
    sums = _forward(chain)
    after, _ = kernels.backward_sums(np.zeros(len(lengths)), lengths, runs, *sums)
    found = kernels.chunk_probabilities(
        torch.stack(list(chunks), 1).numpy(),
        *(table.contiguous().numpy() for table in rules),
        *(lengths, order, sums.local, sums.before, after, sums.scale, sums.steps),
    )
    probabilities = torch.from_numpy(found).to(chain.scores.dtype)
    if sums.undone is not None:
        again = sums.undone[chunks.sentence]
        probabilities[again] = chain_torch.chunk_marginals(chain, Chunks(*(part[again] for part in chunks)), rules)
    return probabilities


class _Score(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, scores: Tensor, transitions: Tensor, start: Tensor, end: Tensor, mask: Tensor, labels: Tensor
    ) -> Tensor:
        lengths = _lengths(mask)
        ctx.save_for_backward(scores, transitions, start, end, mask, labels)
        ctx.lengths = lengths
        parts = [part.contiguous().numpy() for part in (scores, transitions, start, end, labels)]
        totals, is_wrong = kernels.labelling_score(*parts, lengths)
        if is_wrong:
            known(labels, mask, scores.shape[2])
        return torch.from_numpy(totals).to(scores.dtype)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        *inputs, mask, labels = ctx.saved_tensors
        if torch.is_grad_enabled():
            return *_differentiable(ctx, lambda chain: chain_torch.score(chain, labels), mask, gradient), None, None
        gradients = [torch.zeros_like(part, memory_format=torch.contiguous_format) for part in inputs]
        weights = gradient.contiguous().numpy()
        kernels.labelling_gradient(
            weights, labels.contiguous().numpy(), ctx.lengths, *(part.numpy() for part in gradients)
        )
        return *gradients, None, None


class _LogPartition(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        scores: Tensor,
        transitions: Tensor,
        start: Tensor,
        end: Tensor,
        mask: Tensor,
        constraints: ChainConstraints,
    ) -> Tensor:
        chain = Potentials(scores, transitions, start, end, mask, constraints)
        ctx.sums = _forward(chain)
        ctx.constraints = constraints
        ctx.save_for_backward(scores, transitions, start, end, mask)
        totals = torch.from_numpy(ctx.sums.totals).to(scores.dtype, copy=True)
        if ctx.sums.undone is not None:
            totals[ctx.sums.undone] = chain_torch.log_partition(chain.rows(ctx.sums.undone))
        return totals

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        *inputs, mask = ctx.saved_tensors
        if torch.is_grad_enabled():
            return *_differentiable(ctx, chain_torch.log_partition, mask, gradient), None, None
        chain = Potentials(*inputs, mask, ctx.constraints)
        gradients = _expectations(chain, ctx.sums, gradient)
        if ctx.sums.undone is not None:
            _add_undone(chain, ctx.sums.undone, gradient, gradients)
        return *gradients, None, None


class _Marginals(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        scores: Tensor,
        transitions: Tensor,
        start: Tensor,
        end: Tensor,
        mask: Tensor,
        constraints: ChainConstraints,
    ) -> Tensor:
        chain = Potentials(scores, transitions, start, end, mask, constraints)
        ctx.constraints = constraints
        ctx.save_for_backward(scores, transitions, start, end, mask)
        sums = _forward(chain)
        found = _expectations(chain, sums, torch.ones(len(mask)))[0]
        if sums.undone is not None:
            found[sums.undone] = chain_torch.marginals(chain.rows(sums.undone))
        return found

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Gradients:
        return *_differentiable(ctx, chain_torch.marginals, ctx.saved_tensors[4], gradient), None, None


def _differentiable(ctx: Any, verb: Any, mask: Tensor, gradient: Tensor) -> Gradients:
    """The gradients of a verb through torch operations, which can be differentiated again."""
    inputs = ctx.saved_tensors[:4]
    create_graph = torch.is_grad_enabled()
    with torch.enable_grad():
        if not create_graph:
            inputs = [part.detach().requires_grad_() for part in inputs]
        chain = Potentials(*inputs, mask, None)
        wanted = [part for part, is_wanted in zip(inputs, ctx.needs_input_grad) if is_wanted]
        found = iter(torch.autograd.grad(verb(chain), wanted, gradient, create_graph=create_graph, allow_unused=True))
    return tuple(next(found) if is_wanted else None for is_wanted in ctx.needs_input_grad[:4])


def _add_undone(chain: Potentials, undone: Tensor, gradient: Tensor, gradients: Gradients) -> None:
    """The gradients of the sentences that the loops could not do, added to those of the others."""
    with torch.enable_grad():
        inputs = [part.detach().requires_grad_() for part in chain[:4]]
        totals = chain_torch.log_partition(Potentials(*inputs, chain.mask, None).rows(undone))
        for whole, part in zip(gradients, torch.autograd.grad(totals, inputs, gradient[undone])):
            whole += part


def _expectations(chain: Potentials, sums: _Sums, weights: Tensor) -> Tuple[Tensor, ...]:
    """The gradients of the log-partition: expected labels, steps, first and last labels of the weighted sentences."""
    lengths, order, runs = _layout(chain)
    weight = weights.double().contiguous().numpy()
    after, counts = kernels.backward_sums(weight, lengths, runs, *sums)
    marginals = torch.empty_like(chain.scores, memory_format=torch.contiguous_format)
    steps, start, end = (part.new_zeros(part.shape) for part in chain[1:4])
    kernels.spread(
        weight,
        lengths,
        order,
        sums.totals,
        sums.before,
        after,
        counts,
        *(part.numpy() for part in (marginals, steps, start, end)),
    )
    return marginals, steps, start, end


def _forward(chain: Potentials) -> _Sums:
    return _Sums(*kernels.forward_sums(*_arrays(chain), *_layout(chain)))


def _arrays(chain: Potentials) -> Tuple[ndarray, ...]:
    return tuple(part.detach().contiguous().numpy() for part in chain[:4])


def _layout(chain: Potentials) -> Tuple[ndarray, ndarray, ndarray]:
    return _lengths(chain.mask), chain.constraints.order, chain.constraints.runs


def _lengths(mask: Tensor) -> ndarray:
    lengths = kernels.lengths_of(mask.contiguous().numpy())
    if len(lengths) and lengths.min() < 0:
        raise ValueError(
            f"The mask of sentence {int(lengths.argmin())} of the batch has a gap. Positions are filled from the left: "
            "true for the first ones of each sentence, false for the padding after them."
        )
    return lengths
