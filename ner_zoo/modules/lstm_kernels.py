"""
The elementwise half of an LSTM, compiled: gates, cells and their gradients for one step of all sentences still running.

    i, f, o = sigmoid(...)   g = tanh(...)   c' = f c + i g   h = o tanh(c')

The loops release Python's lock and keep no state. Their exponential is one that the compiler can vectorize.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import overload
from numpy import ndarray

_FAST = {"contract", "reassoc", "nsz", "arcp"}
# Added to a number of moderate size, these leave the nearest integer in its lowest bits.
_ROUNDER, _ROUNDER_32 = 1.5 * 2.0**52, np.float32(1.5 * 2.0**23)
_LOG2_E, _LOG2_E_32 = 1.4426950408889634, np.float32(1.4426950408889634)
# ln 2 in two parts, the first short enough for its multiples to be exact.
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_LN2_HIGH_32, _LN2_LOW_32 = np.float32(0.693359375), np.float32(-2.12194440e-4)
# Beyond, the sigmoid is 0 or 1 for all digits there are.
_LIMIT, _LIMIT_32 = 700.0, np.float32(80.0)
_ONE_32 = np.float32(1.0)


def _sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)), with exp(x) = 2^k exp(x - k ln 2) for a whole k: a short power series and a shift of bits."""
    raise NotImplementedError


def _sigmoid_64(x: Any) -> Any:
    y = -_LIMIT if x > _LIMIT else (_LIMIT if x < -_LIMIT else -x)
    rounded = y * _LOG2_E + _ROUNDER
    k = rounded - _ROUNDER
    r = (y - k * _LN2_HIGH) - k * _LN2_LOW
    series = 1.0 / 479001600.0
    series = series * r + 1.0 / 39916800.0
    series = series * r + 1.0 / 3628800.0
    series = series * r + 1.0 / 362880.0
    series = series * r + 1.0 / 40320.0
    series = series * r + 1.0 / 5040.0
    series = series * r + 1.0 / 720.0
    series = series * r + 1.0 / 120.0
    series = series * r + 1.0 / 24.0
    series = series * r + 1.0 / 6.0
    series = series * r + 1.0 / 2.0
    series = (series * r + 1.0) * r + 1.0
    power = np.int64((np.float64(rounded).view(np.int64) << 52) + (1023 << 52)).view(np.float64)
    return 1.0 / (1.0 + series * power)


def _sigmoid_32(x: Any) -> Any:
    y = -_LIMIT_32 if x > _LIMIT_32 else (_LIMIT_32 if x < -_LIMIT_32 else -x)
    rounded = y * _LOG2_E_32 + _ROUNDER_32
    k = rounded - _ROUNDER_32
    r = (y - k * _LN2_HIGH_32) - k * _LN2_LOW_32
    series = np.float32(1.0 / 5040.0)
    series = series * r + np.float32(1.0 / 720.0)
    series = series * r + np.float32(1.0 / 120.0)
    series = series * r + np.float32(1.0 / 24.0)
    series = series * r + np.float32(1.0 / 6.0)
    series = series * r + np.float32(0.5)
    series = (series * r + _ONE_32) * r + _ONE_32
    bits = np.int32((np.float32(rounded).view(np.int32) << np.int32(23)) + np.int32(127 << 23))
    return _ONE_32 / (_ONE_32 + series * bits.view(np.float32))


# Not with all of _FAST, which would take the rounding out.
@overload(_sigmoid, jit_options={"fastmath": {"contract"}, "forceinline": True})
def _sigmoid_by_type(x: Any) -> Callable[[Any], Any]:
    return _sigmoid_32 if x == types.float32 else _sigmoid_64


def step_order(lengths: ndarray, positions: int) -> tuple[ndarray, ndarray, ndarray]:
    """
    How many sentences are still running at each step `(steps,)`, and where in the flattened batch their tokens are,
    step by step, longest sentences first: once read forwards and once backwards `(tokens,)`.
    """
    counts = np.zeros(lengths.max(initial=0), dtype=np.int64)
    forwards, backwards = np.empty((2, lengths.sum()), dtype=np.int64)
    # Sorted here, as a compiled sort takes seconds to compile.
    _fill_order(np.argsort(-lengths, kind="stable"), lengths, positions, counts, forwards, backwards)
    return counts, forwards, backwards


@njit(cache=True, error_model="numpy")
def _fill_order(
    ranking: ndarray, lengths: ndarray, positions: int, counts: ndarray, forwards: ndarray, backwards: ndarray
) -> None:
    row = 0
    for step in range(counts.shape[0]):
        for sentence in ranking:
            if lengths[sentence] <= step:
                break
            forwards[row] = sentence * positions + step
            backwards[row] = sentence * positions + lengths[sentence] - 1 - step
            row += 1
            counts[step] += 1


@njit(fastmath=_FAST, cache=True, error_model="numpy")
def step_forwards(
    gates: ndarray, cells: ndarray, squashed: ndarray, hidden: ndarray, first: int, count: int, previous: int
) -> None:
    """
    One step, of `count` sentences from row `first` on, whose step before begins at row `previous`.

    gates : `(tokens, 4 * size)`, sums of inputs in the order i, f, g, o; what they open to is written in their place.
    cells, squashed, hidden : `(tokens, size)`, c', tanh(c') and h of each token, of which this step's are written.
    """
    size = cells.shape[1]
    two, one = gates.dtype.type(2.0), gates.dtype.type(1.0)
    for at in range(count):
        gate, cell, tanh, out = gates[first + at], cells[first + at], squashed[first + at], hidden[first + at]
        for k in range(size):
            gate[k] = _sigmoid(gate[k])
            gate[size + k] = _sigmoid(gate[size + k])
            gate[2 * size + k] = two * _sigmoid(two * gate[2 * size + k]) - one
            gate[3 * size + k] = _sigmoid(gate[3 * size + k])
            cell[k] = gate[k] * gate[2 * size + k]
        if first > 0:
            before = cells[previous + at]
            for k in range(size):
                cell[k] += gate[size + k] * before[k]
        for k in range(size):
            tanh[k] = two * _sigmoid(two * cell[k]) - one
            out[k] = gate[3 * size + k] * tanh[k]


@njit(fastmath=_FAST, cache=True, error_model="numpy")
def step_backwards(
    gates: ndarray,
    cells: ndarray,
    squashed: ndarray,
    hidden_gradient: ndarray,
    cell_gradient: ndarray,
    gate_gradient: ndarray,
    first: int,
    count: int,
    previous: int,
) -> None:
    """The gradient of `step_forwards`; `cell_gradient (sentences, size)` is carried from step to step."""
    size = cells.shape[1]
    one = gates.dtype.type(1.0)
    nothing = np.zeros(size, dtype=gates.dtype)
    for at in range(count):
        gate, tanh, gradient = gates[first + at], squashed[first + at], gate_gradient[first + at]
        hidden, carried = hidden_gradient[first + at], cell_gradient[at]
        before = cells[previous + at] if first > 0 else nothing
        for k in range(size):
            i, f, g, o = gate[k], gate[size + k], gate[2 * size + k], gate[3 * size + k]
            cell = carried[k] + hidden[k] * o * (one - tanh[k] * tanh[k])
            gradient[k] = cell * g * i * (one - i)
            gradient[size + k] = cell * before[k] * f * (one - f)
            gradient[2 * size + k] = cell * i * (one - g * g)
            gradient[3 * size + k] = hidden[k] * tanh[k] * o * (one - o)
            carried[k] = cell * f
