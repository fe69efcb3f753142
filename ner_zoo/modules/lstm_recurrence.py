"""
An LSTM layer, unidirectional or bidirectional, over sentences of different lengths, without computation on padding.

The inputs of all tokens go through one matrix product for all directions; then one compiled loop runs the steps of each
direction. The backward pass works the same way, and the gradients of the weights are again products over all tokens.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from numpy import ndarray
from torch import LongTensor, Tensor

from ner_zoo.modules import lstm_kernels
from ner_zoo.modules.small_products import packed

# Input weights `(4 * size, input_size)`, recurrent weights `(4 * size, size)`, and both biases `(4 * size,)`.
Weights = tuple[Tensor, Tensor, Tensor, Tensor]


class Steps(NamedTuple):
    """See `step_order`."""

    counts: ndarray
    order: LongTensor
    rows: ndarray

    @classmethod
    def of(cls, lengths: Tensor, positions: int) -> "Steps":
        counts, order, rows = lstm_kernels.step_order(lengths.numpy(), positions)
        return cls(counts, torch.from_numpy(order), rows)


def recur(inputs: Tensor, weights: Sequence[Weights], steps: Steps) -> Tensor:
    """
    inputs : `(rows, input_size)`, the flattened batch.
    weights : one set per direction.

    Returns the states after each token `(rows, directions * size)`, 0 where there is no token.
    """
    flat = [part for direction in weights for part in direction]
    if torch.is_grad_enabled() and any(part.requires_grad for part in (inputs, *flat)):
        return _Recurrence.apply(inputs, steps, *flat)
    gates = _input_gates(inputs.index_select(0, steps.order), weights)
    return _padded(_states(gates, torch.arange(len(gates)), weights, steps), len(inputs), steps)


def recur_distinct(vectors: Tensor, places: Tensor, weights: Sequence[Weights], steps: Steps) -> Tensor:
    """As `recur` over `vectors[places]`, without a gradient: the input product is computed once per vector."""
    states = _states(_input_gates(vectors, weights), places.index_select(0, steps.order), weights, steps)
    return _padded(states, len(places), steps)


def _padded(hidden: Tensor, rows: int, steps: Steps) -> Tensor:
    """Scatters values of tokens, in the order of the steps, to the flattened batch."""
    return hidden.new_zeros(rows, hidden.shape[1]).index_copy_(0, steps.order, hidden)


def _input_gates(tokens: Tensor, weights: Sequence[Weights]) -> Tensor:
    """`(tokens, directions, 4 * size)`"""
    matrix = torch.cat([direction[0] for direction in weights])
    bias = torch.cat([direction[2] + direction[3] for direction in weights])
    return torch.addmm(bias, tokens, matrix.t()).unflatten(1, (len(weights), -1))


def _states(gates: Tensor, inputs: Tensor, weights: Sequence[Weights], steps: Steps) -> Tensor:
    """
    Computes the states of the tokens in the order of the steps `(tokens, directions * size)`, without gradients.

    gates, inputs : `(inputs, directions, 4 * size)`, and the index of each token's gates `(tokens,)`.
    """
    hidden = gates.new_empty(len(inputs), len(weights), gates.shape[2] // 4)
    arrays = gates.numpy(), inputs.numpy()
    for number, (_, recurrent, *_) in enumerate(weights):
        panels = packed(recurrent.detach().t()).numpy()
        lstm_kernels.states(number, *arrays, panels, steps.rows, steps.counts, hidden.numpy())
    return hidden.flatten(1)


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, inputs: Tensor, steps: Steps, *flat: Tensor) -> Tensor:
        weights = _by_direction(flat)
        tokens = inputs.index_select(0, steps.order)
        gates = _input_gates(tokens, weights)
        cells, squashed, hidden = gates.new_empty(3, len(tokens), len(weights), gates.shape[2] // 4)
        arrays = [part.numpy() for part in (cells, squashed, hidden)]
        for number, (_, recurrent, *_) in enumerate(weights):
            panels = packed(recurrent.t()).numpy()
            lstm_kernels.forwards(number, gates.numpy(), panels, steps.rows, steps.counts, *arrays)
        ctx.save_for_backward(inputs, *flat)
        ctx.steps = steps
        ctx.states = tokens, gates, cells, squashed, hidden
        return _padded(hidden.flatten(1), len(inputs), steps)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        inputs, *flat = ctx.saved_tensors
        if torch.is_grad_enabled():
            return _differentiable_gradients(ctx, gradient)
        weights, tokens = _by_direction(flat), ctx.states[0]
        gate_gradient, before = _gate_gradient(ctx, gradient.index_select(0, ctx.steps.order), weights)
        joined = gate_gradient.flatten(1)
        found = None
        if ctx.needs_input_grad[0]:
            of_tokens = joined @ torch.cat([direction[0] for direction in weights])
            found = torch.zeros_like(inputs).index_copy_(0, ctx.steps.order, of_tokens)
        matrices = (joined.t() @ tokens).chunk(len(weights))
        biases = joined.sum(0).chunk(len(weights))
        parts: list[Tensor | None] = [found, None]
        for number, (matrix, bias) in enumerate(zip(matrices, biases)):
            parts += [matrix, gate_gradient[:, number].t() @ before[:, number], bias, bias.clone()]
        return tuple(parts)


def _by_direction(flat: Sequence[Tensor]) -> list[Weights]:
    return [(flat[at], flat[at + 1], flat[at + 2], flat[at + 3]) for at in range(0, len(flat), 4)]


def _gate_gradient(ctx: Any, hidden_gradient: Tensor, weights: Sequence[Weights]) -> tuple[Tensor, Tensor]:
    """`(tokens, directions, 4 * size)`, and the states of the previous step `(tokens, directions, size)`."""
    _, gates, cells, squashed, hidden = ctx.states
    gate_gradient, before = torch.empty_like(gates), torch.empty_like(hidden)
    results = [part.numpy() for part in (hidden_gradient.view_as(hidden), gate_gradient, before)]
    known = [part.numpy() for part in (cells, squashed, hidden)]
    for number, (_, recurrent, *_) in enumerate(weights):
        panels = packed(recurrent).numpy()
        steps = ctx.steps.rows, ctx.steps.counts
        lstm_kernels.backwards(number, gates.numpy(), panels, *steps, *known, *results)
    return gate_gradient, before


def _differentiable_gradients(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
    """The same gradients with torch operations, which can be differentiated again."""
    needed = ctx.needs_input_grad[0], *ctx.needs_input_grad[2:]
    wanted = [part for part, is_wanted in zip(ctx.saved_tensors, needed) if is_wanted]
    inputs, *flat = ctx.saved_tensors
    with torch.enable_grad():
        output = recur_in_torch(inputs, _by_direction(flat), ctx.steps)
        found = iter(torch.autograd.grad(output, wanted, gradient, create_graph=True, allow_unused=True))
    first, *rest = (next(found) if is_wanted else None for is_wanted in needed)
    return first, None, *rest


def recur_in_torch(inputs: Tensor, weights: Sequence[Weights], steps: Steps) -> Tensor:
    """Like `recur`, but slower, on any device and with all derivatives."""
    tokens = inputs.index_select(0, steps.order)
    directions = []
    for (input_weight, recurrent, *biases), rows in zip(weights, steps.rows):
        turns = torch.from_numpy(rows)
        gates = torch.addmm(sum(biases), tokens.index_select(0, turns), input_weight.t())
        outputs = [gates[:0] @ recurrent]
        hidden = cell = gates.new_zeros(int(steps.counts[0]) if len(steps.counts) else 0, recurrent.shape[1])
        for now in gates.split(steps.counts.tolist()):
            i, f, g, o = (now + hidden[: len(now)] @ recurrent.t()).chunk(4, 1)
            cell = f.sigmoid() * cell[: len(now)] + i.sigmoid() * g.tanh()
            hidden = o.sigmoid() * cell.tanh()
            outputs.append(hidden)
        states = torch.cat(outputs)
        directions.append(torch.zeros_like(states).index_copy(0, turns, states))
    output = torch.cat(directions, 1)
    return inputs.new_zeros(len(inputs), output.shape[1]).index_copy(0, steps.order, output)
