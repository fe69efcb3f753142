"""
An LSTM layer, unidirectional or bidirectional, over sentences of different lengths, without computation on padding.

The inputs of all tokens go through one matrix product for all directions; then one compiled loop runs the steps of each
direction. The backward pass works the same way, and the gradients of the weights are again products over all tokens.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
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
    places: LongTensor
    rows: ndarray

    @classmethod
    def of(cls, lengths: Tensor, positions: int) -> "Steps":
        counts, order, places, rows = lstm_kernels.step_order(lengths.numpy(), positions)
        return cls(counts, torch.from_numpy(order), torch.from_numpy(places), rows)


class Layer:
    """The weights of a layer, arranged for the products and loops."""

    def __init__(self, weights: Sequence[Weights]) -> None:
        self.weights = weights
        self.matrix = _wide(_matrix(weights))
        self.forwards = [packed(recurrent.detach().t()).numpy() for _, recurrent, *_ in weights]

    @cached_property
    def backwards(self) -> list[ndarray]:
        return [packed(recurrent.detach()).numpy() for _, recurrent, *_ in self.weights]

    @classmethod
    def of(cls, weights: Sequence[Weights]) -> "Layer":
        known = _known.get()
        if known is None:
            return cls(weights)
        first = weights[0][0]
        if first not in known:
            known[first] = cls(weights)
        return known[first]


# By the first weight of a layer.
_known: ContextVar[dict[Tensor, Layer] | None] = ContextVar("known", default=None)


@contextmanager
def unchanged_weights() -> Iterator[None]:
    """While no weight changes, those of a layer are arranged once."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def recur(inputs: Tensor, weights: Sequence[Weights], steps: Steps) -> Tensor:
    """
    inputs : `(rows, input_size)`, the flattened batch.
    weights : one set per direction.

    Returns the states after each token `(rows, directions * size)`, 0 where there is no token.
    """
    flat = [part for direction in weights for part in direction]
    if torch.is_grad_enabled() and any(part.requires_grad for part in (inputs, *flat)):
        return _Recurrence.apply(inputs, steps, *flat)
    gates = _input_gates(inputs.index_select(0, steps.order), _matrix(weights), weights)
    return _states(gates, torch.arange(len(gates)), weights, steps)


def recur_distinct(vectors: Tensor, places: Tensor, weights: Sequence[Weights], steps: Steps) -> Tensor:
    """As `recur` over `vectors[places]`, without a gradient: the input product is computed once per vector."""
    gates = _input_gates(vectors, _matrix(weights), weights)
    return _states(gates, places.index_select(0, steps.order), weights, steps)


def _for_tokens(tokens: int, like: Tensor, *shape: int) -> Tensor:
    """Space for values of the tokens in the order of the steps, and a last row of zeros for `_padded`."""
    values = like.new_empty(tokens + 1, *shape)
    values[tokens] = 0.0
    return values


def _padded(values: Tensor, steps: Steps) -> Tensor:
    """Rearranges the rows of `_for_tokens` to match the flattened batch, with zeros for padding."""
    return values.flatten(1).index_select(0, steps.places)


def _matrix(weights: Sequence[Weights]) -> Tensor:
    """The input weights of all directions `(directions * 4 * size, input_size)`."""
    return torch.cat([direction[0] for direction in weights])


def _wide(matrix: Tensor) -> Tensor:
    """Adds columns of zeros up to a multiple of 16: products over the rows are up to a fifth faster."""
    return torch.nn.functional.pad(matrix, (0, -matrix.shape[1] % 16))


def _input_gates(tokens: Tensor, matrix: Tensor, weights: Sequence[Weights]) -> Tensor:
    """`(tokens, directions, 4 * size)`"""
    bias = torch.cat([direction[2] + direction[3] for direction in weights])
    return torch.addmm(bias, tokens, matrix.t()).unflatten(1, (len(weights), -1))


def _states(gates: Tensor, inputs: Tensor, weights: Sequence[Weights], steps: Steps) -> Tensor:
    """
    Computes the states of the flattened batch `(rows, directions * size)` without gradients.

    gates, inputs : `(inputs, directions, 4 * size)`, and the index of each token's gates `(tokens,)`.
    """
    hidden = _for_tokens(len(inputs), gates, len(weights), gates.shape[2] // 4)
    arrays = gates.numpy(), inputs.numpy()
    for number, (_, recurrent, *_) in enumerate(weights):
        panels = packed(recurrent.detach().t()).numpy()
        lstm_kernels.states(number, *arrays, panels, steps.rows, steps.counts, hidden.numpy())
    return _padded(hidden, steps)


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, inputs: Tensor, steps: Steps, *flat: Tensor) -> Tensor:
        weights = _by_direction(flat)
        layer, tokens = Layer.of(weights), _wide(inputs.index_select(0, steps.order))
        gates = _input_gates(tokens, layer.matrix, weights)
        size = len(weights), gates.shape[2] // 4
        cells, squashed = gates.new_empty(2, len(tokens), *size)
        hidden = _for_tokens(len(tokens), gates, *size)
        arrays = [part.numpy() for part in (cells, squashed, hidden)]
        for number, panels in enumerate(layer.forwards):
            lstm_kernels.forwards(number, gates.numpy(), panels, steps.rows, steps.counts, *arrays)
        ctx.save_for_backward(inputs, *flat)
        ctx.steps = steps
        ctx.products = tokens, layer
        ctx.states = gates, cells, squashed, hidden[:-1]
        return _padded(hidden, steps)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        inputs, *_ = ctx.saved_tensors
        if torch.is_grad_enabled():
            return _differentiable_gradients(ctx, gradient)
        (tokens, layer), columns = ctx.products, inputs.shape[1]
        gate_gradient, before = _gate_gradient(ctx, gradient.index_select(0, ctx.steps.order), layer)
        joined = gate_gradient.flatten(1)
        found = None
        if ctx.needs_input_grad[0]:
            of_tokens = _for_tokens(len(tokens), inputs, tokens.shape[1])
            torch.mm(joined, layer.matrix, out=of_tokens[:-1])
            found = _padded(of_tokens[:, :columns], ctx.steps)
        matrices = (joined.t() @ tokens)[:, :columns].chunk(gate_gradient.shape[1])
        biases = joined.sum(0).chunk(gate_gradient.shape[1])
        parts: list[Tensor | None] = [found, None]
        for number, (matrix, bias) in enumerate(zip(matrices, biases)):
            parts += [matrix, gate_gradient[:, number].t() @ before[:, number], bias, bias.clone()]
        return tuple(parts)


def _by_direction(flat: Sequence[Tensor]) -> list[Weights]:
    return [(flat[at], flat[at + 1], flat[at + 2], flat[at + 3]) for at in range(0, len(flat), 4)]


def _gate_gradient(ctx: Any, hidden_gradient: Tensor, layer: Layer) -> tuple[Tensor, Tensor]:
    """`(tokens, directions, 4 * size)`, and the states of the previous step `(tokens, directions, size)`."""
    gates, cells, squashed, hidden = ctx.states
    gate_gradient, before = torch.empty_like(gates), torch.empty_like(hidden)
    results = [part.numpy() for part in (hidden_gradient.view_as(hidden), gate_gradient, before)]
    known = [part.numpy() for part in (cells, squashed, hidden)]
    for number, panels in enumerate(layer.backwards):
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
