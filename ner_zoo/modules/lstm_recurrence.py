"""
One direction of an LSTM layer over sentences of different lengths, without any work on padding.

The inputs of all tokens go through one matrix product; then, step by step, the sentences still running (the longest
come first, so that they are the first rows) through a product with the recurrent weights and one compiled loop. The
gradient goes the same way back, and the gradients of the weights are again one product each over all tokens.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy import ndarray
from torch import LongTensor, Tensor

from ner_zoo.modules import lstm_kernels

Weights = tuple[Tensor, Tensor, Tensor, Tensor]


def recur(inputs: Tensor, weights: Weights, order: LongTensor, counts: ndarray) -> Tensor:
    """
    inputs : `(rows, input_size)`, the flattened batch.
    weights : of the inputs `(4 * size, input_size)`, recurrent `(4 * size, size)`, the biases of both `(4 * size,)`.
    order : `(tokens,)`, the rows that are tokens, step by step.
    counts : `(steps,)`, how many sentences each step has.

    The states after each token `(rows, size)`, 0 where there is no token.
    """
    return _Recurrence.apply(inputs, *weights, order, counts)


def _steps(counts: ndarray) -> Iterator[tuple[int, int, int]]:
    """The first row of each step, the number of its rows and the first row of the step before."""
    previous, first = 0, 0
    for count in counts.tolist():
        yield first, count, previous
        previous, first = first, first + count


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        inputs: Tensor,
        input_weight: Tensor,
        recurrent_weight: Tensor,
        input_bias: Tensor,
        recurrent_bias: Tensor,
        order: LongTensor,
        counts: ndarray,
    ) -> Tensor:
        tokens = inputs.index_select(0, order)
        gates = torch.addmm(input_bias + recurrent_bias, tokens, input_weight.t())
        cells, squashed, hidden = gates.new_empty(3, len(order), recurrent_weight.shape[1])
        arrays = [part.numpy() for part in (gates, cells, squashed, hidden)]
        recurrent = recurrent_weight.t().contiguous()
        sizes = counts.tolist()
        steps = zip(gates.split(sizes), (None, *hidden.split(sizes)), _steps(counts))
        for now, last, (first, count, previous) in steps:
            if last is not None:
                now.addmm_(last if len(last) == count else last[:count], recurrent)
            lstm_kernels.step_forwards(*arrays, first, count, previous)
        ctx.save_for_backward(inputs, input_weight, recurrent_weight, input_bias, recurrent_bias, order)
        ctx.counts = counts
        ctx.states = tokens, gates, cells, squashed, hidden
        return inputs.new_zeros(len(inputs), hidden.shape[1]).index_copy_(0, order, hidden)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        inputs, input_weight, recurrent_weight, *_, order = ctx.saved_tensors
        if torch.is_grad_enabled():
            return *_differentiable_gradients(ctx, gradient), None, None
        tokens, _gates, _cells, _squashed, hidden = ctx.states
        gate_gradient = _gate_gradient(ctx, gradient.index_select(0, order), recurrent_weight)
        before = _before(order, ctx.counts)
        later = gate_gradient[len(order) - len(before) :]
        token_gradient = gate_gradient @ input_weight if ctx.needs_input_grad[0] else None
        bias_gradient = gate_gradient.sum(0)
        return (
            None if token_gradient is None else torch.zeros_like(inputs).index_copy_(0, order, token_gradient),
            gate_gradient.t() @ tokens,
            later.t() @ hidden.index_select(0, before),
            bias_gradient,
            bias_gradient.clone(),
            None,
            None,
        )


def _gate_gradient(ctx: Any, hidden_gradient: Tensor, recurrent_weight: Tensor) -> Tensor:
    """`(tokens, 4 * size)`; `hidden_gradient` is added to on the way."""
    _, gates, cells, squashed, hidden = ctx.states
    gate_gradient = torch.empty_like(gates)
    cell_gradient = hidden.new_zeros(int(ctx.counts[0]) if len(ctx.counts) else 0, hidden.shape[1])
    parts = gates, cells, squashed, hidden_gradient, cell_gradient, gate_gradient
    arrays = [part.numpy() for part in parts]
    sizes = ctx.counts.tolist()
    earlier = (None, *hidden_gradient.split(sizes))
    steps = list(zip(gate_gradient.split(sizes), earlier, _steps(ctx.counts)))
    for now, last, (first, count, previous) in reversed(steps):
        lstm_kernels.step_backwards(*arrays, first, count, previous)
        if last is not None:
            (last if len(last) == count else last[:count]).addmm_(now, recurrent_weight)
    return gate_gradient


def _before(order: LongTensor, counts: ndarray) -> LongTensor:
    """For each row that is not of the first step, the row of the same sentence's token one step before."""
    later = len(order) - int(counts[0]) if len(counts) else 0
    # The steps are as many rows apart as the one before has sentences.
    return torch.arange(len(order) - later, len(order)) - torch.from_numpy(np.repeat(counts[:-1], counts[1:]))


def _differentiable_gradients(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
    """The same gradients by torch's own operations, which can be differentiated again."""
    *inputs, order = ctx.saved_tensors
    wanted = [part for part, is_wanted in zip(inputs, ctx.needs_input_grad) if is_wanted]
    with torch.enable_grad():
        output = recur_in_torch(inputs[0], tuple(inputs[1:]), order, ctx.counts)
        found = iter(torch.autograd.grad(output, wanted, gradient, create_graph=True, allow_unused=True))
    return tuple(next(found) if is_wanted else None for is_wanted in ctx.needs_input_grad[:5])


def recur_in_torch(inputs: Tensor, weights: Weights, order: LongTensor, counts: ndarray) -> Tensor:
    """As `recur`, slower, for any device and with all derivatives."""
    input_weight, recurrent_weight, input_bias, recurrent_bias = weights
    gates = torch.addmm(input_bias + recurrent_bias, inputs.index_select(0, order), input_weight.t())
    outputs = [gates[:0] @ recurrent_weight]
    hidden = cell = gates.new_zeros(int(counts[0]) if len(counts) else 0, recurrent_weight.shape[1])
    for first, count, _ in _steps(counts):
        summed = gates[first : first + count] + hidden[:count] @ recurrent_weight.t()
        i, f, g, o = summed.chunk(4, 1)
        cell = f.sigmoid() * cell[:count] + i.sigmoid() * g.tanh()
        hidden = o.sigmoid() * cell.tanh()
        outputs.append(hidden)
    return inputs.new_zeros(len(inputs), recurrent_weight.shape[1]).index_copy(0, order, torch.cat(outputs))
