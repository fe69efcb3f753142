"""
Compiled LSTM over sentences of different lengths: all steps of one direction in one loop.

    i, f, o = sigmoid(...)   g = tanh(...)   c' = f c + i g   h = o tanh(c')

The loops release the GIL and are stateless. A step contains the active sentences, longest first; `rows` maps its tokens
to rows, so that both directions share rows. Gates are in the order i, f, g, o.
"""

import numpy as np
from numba import njit
from numpy import ndarray

from ner_zoo.modules.compiled_sigmoid import sigmoid
from ner_zoo.modules.small_products import multiply

# Functions with rearranged sums are inlined: a compiled copy of their own could round differently, and whether it is
# used would depend on which loops are loaded from the cache.
_FAST = {"contract", "reassoc", "nsz", "arcp"}


def step_order(lengths: ndarray, positions: int) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """
    The number of active sentences at each step `(steps,)`; the positions of the tokens in the flattened batch, step by
    step, longest sentences first `(tokens,)`; their inverse, which is the number of tokens for padding `(batch *
    positions,)`; and the order in which each direction reads them `(2, tokens)`.
    """
    counts = np.zeros(lengths.max(initial=0), dtype=np.int64)
    order = np.empty(lengths.sum(), dtype=np.int64)
    places = np.full(len(lengths) * positions, len(order), dtype=np.int64)
    rows = np.empty((2, len(order)), dtype=np.int64)
    # Sorted here, because a compiled sort takes seconds to compile.
    _fill_order(np.argsort(-lengths, kind="stable"), lengths, positions, counts, order, places, rows)
    return counts, order, places, rows


@njit(cache=True, error_model="numpy")
def _fill_order(
    ranking: ndarray,
    lengths: ndarray,
    positions: int,
    counts: ndarray,
    order: ndarray,
    places: ndarray,
    rows: ndarray,
) -> None:
    firsts = np.empty_like(counts)
    row = 0
    for step in range(counts.shape[0]):
        firsts[step] = row
        for sentence in ranking:
            if lengths[sentence] <= step:
                break
            order[row] = sentence * positions + step
            places[order[row]] = row
            rows[0, row] = row
            row += 1
            counts[step] += 1
    row = 0
    for step in range(counts.shape[0]):
        for rank in range(counts[step]):
            rows[1, row] = firsts[lengths[ranking[rank]] - 1 - step] + rank
            row += 1


@njit(cache=True, error_model="numpy")
def _running(counts: ndarray) -> int:
    """The number of sentences with at least one token."""
    return counts[0] if counts.shape[0] > 0 else 0


@njit(fastmath=_FAST, forceinline=True, cache=True, error_model="numpy")
def _open(gate: ndarray, cell: ndarray, tanh: ndarray, out: ndarray) -> None:
    """
    One token: overwrites the gates `(4 * size,)` with their values and writes the new cell; returns tanh(c') and
    h.
    """
    size = cell.shape[0]
    two, one = gate.dtype.type(2.0), gate.dtype.type(1.0)
    for k in range(size):
        gate[k] = sigmoid(gate[k])
        gate[size + k] = sigmoid(gate[size + k])
        gate[2 * size + k] = two * sigmoid(two * gate[2 * size + k]) - one
        gate[3 * size + k] = sigmoid(gate[3 * size + k])
        cell[k] = gate[size + k] * cell[k] + gate[k] * gate[2 * size + k]
    for k in range(size):
        tanh[k] = two * sigmoid(two * cell[k]) - one
        out[k] = gate[3 * size + k] * tanh[k]


@njit(fastmath=_FAST, cache=True, nogil=True, error_model="numpy")
def forwards(
    direction: int,
    gates: ndarray,
    recurrent: ndarray,
    rows: ndarray,
    counts: ndarray,
    cells: ndarray,
    squashed: ndarray,
    hidden: ndarray,
) -> None:
    """
    gates : `(tokens, directions, 4 * size)`, sums of inputs; overwritten with the gate values.
    recurrent : packed weights of the direction `(size, 4 * size)`.
    rows : `(directions, tokens)`, the order in which each direction reads the tokens.
    counts : `(steps,)`, the number of sentences at each step.
    cells, squashed, hidden : `(tokens, directions, size)`, filled with c', tanh(c') and h of each token.
    """
    size, running = hidden.shape[2], _running(counts)
    state, cell = np.zeros((running, size), gates.dtype), np.zeros((running, size), gates.dtype)
    sums = np.zeros((running, recurrent.shape[0] * recurrent.shape[2]), gates.dtype)
    first = 0
    for count in counts:
        if first > 0:
            multiply(state, count, recurrent, sums)
        for at in range(count):
            row = rows[direction, first + at]
            gate, total = gates[row, direction], sums[at]
            for k in range(4 * size):
                gate[k] += total[k]
            _open(gate, cell[at], squashed[row, direction], state[at])
            cells[row, direction] = cell[at]
            hidden[row, direction] = state[at]
        first += count


@njit(fastmath=_FAST, cache=True, nogil=True, error_model="numpy")
def states(
    direction: int,
    gates: ndarray,
    inputs: ndarray,
    recurrent: ndarray,
    rows: ndarray,
    counts: ndarray,
    hidden: ndarray,
) -> None:
    """
    Like `forwards`, without values that are only needed for gradients.

    gates : `(inputs, directions, 4 * size)`, sums of inputs; not modified.
    inputs : `(tokens,)`, the index of each token's gates.
    """
    size, running = hidden.shape[2], _running(counts)
    state, cell = np.zeros((running, size), gates.dtype), np.zeros((running, size), gates.dtype)
    sums = np.zeros((running, recurrent.shape[0] * recurrent.shape[2]), gates.dtype)
    tanh = np.empty(size, gates.dtype)
    first = 0
    for count in counts:
        if first > 0:
            multiply(state, count, recurrent, sums)
        for at in range(count):
            row = rows[direction, first + at]
            gate, total = gates[inputs[row], direction], sums[at]
            for k in range(4 * size):
                total[k] += gate[k]
            _open(total, cell[at], tanh, state[at])
            hidden[row, direction] = state[at]
        first += count


@njit(fastmath=_FAST, forceinline=True, cache=True, error_model="numpy")
def _close(
    gate: ndarray, tanh: ndarray, before: ndarray, hidden: ndarray, later: ndarray, carried: ndarray, gradient: ndarray
) -> None:
    """The gradient of `_open`; `carried`, the gradient of the cell, is that of c' before and of c after the call."""
    size = tanh.shape[0]
    one = gate.dtype.type(1.0)
    for k in range(size):
        i, f, g, o = gate[k], gate[size + k], gate[2 * size + k], gate[3 * size + k]
        out = hidden[k] + later[k]
        cell = carried[k] + out * o * (one - tanh[k] * tanh[k])
        gradient[k] = cell * g * i * (one - i)
        gradient[size + k] = cell * before[k] * f * (one - f)
        gradient[2 * size + k] = cell * i * (one - g * g)
        gradient[3 * size + k] = out * tanh[k] * o * (one - o)
        carried[k] = cell * f


@njit(fastmath=_FAST, cache=True, nogil=True, error_model="numpy")
def backwards(
    direction: int,
    gates: ndarray,
    recurrent: ndarray,
    rows: ndarray,
    counts: ndarray,
    cells: ndarray,
    squashed: ndarray,
    hidden: ndarray,
    hidden_gradient: ndarray,
    gate_gradient: ndarray,
    before: ndarray,
) -> None:
    """
    The gradient of `forwards`, whose arrays come first; here `recurrent` is `(4 * size, size)`.

    hidden_gradient : gradient of `hidden`.
    gate_gradient, before : shaped like `gates` and `hidden`, to be filled; the latter with h of the previous step.
    """
    size, running = hidden.shape[2], _running(counts)
    carried, gradient = np.zeros((running, size), gates.dtype), np.zeros((running, 4 * size), gates.dtype)
    later = np.zeros((running, recurrent.shape[0] * recurrent.shape[2]), gates.dtype)
    nothing = np.zeros(size, gates.dtype)
    first = rows.shape[1]
    for step in range(counts.shape[0] - 1, -1, -1):
        count = counts[step]
        first -= count
        for at in range(count):
            row = rows[direction, first + at]
            cell, state = nothing, nothing
            if step > 0:
                previous = rows[direction, first - counts[step - 1] + at]
                cell, state = cells[previous, direction], hidden[previous, direction]
            gate, tanh, given = gates[row, direction], squashed[row, direction], hidden_gradient[row, direction]
            _close(gate, tanh, cell, given, later[at], carried[at], gradient[at])
            gate_gradient[row, direction] = gradient[at]
            before[row, direction] = state
        multiply(gradient, count, recurrent, later)
