"""
A sigmoid for compiled loops that the compiler can vectorise: the library's exponential handles one number at a time.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

# Adding these to a number of moderate size leaves the nearest integer in its lowest bits.
_ROUNDER, _ROUNDER_32 = 1.5 * 2.0**52, np.float32(1.5 * 2.0**23)
_LOG2_E, _LOG2_E_32 = 1.4426950408889634, np.float32(1.4426950408889634)
# ln 2 in two parts, the first short enough for its multiples to be exact.
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_LN2_HIGH_32, _LN2_LOW_32 = np.float32(0.693359375), np.float32(-2.12194440e-4)
# Beyond this, the sigmoid is exactly 0 or 1.
_LIMIT, _LIMIT_32 = 700.0, np.float32(80.0)
_ONE_32 = np.float32(1.0)


def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)), with exp(x) = 2^k exp(x - k ln 2) for an integer k: a short power series and a bit shift."""
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


# No other fastmath flags, which would optimise the rounding away.
@overload(sigmoid, jit_options={"fastmath": {"contract"}, "forceinline": True})
def _sigmoid_by_type(x: Any) -> Callable[[Any], Any]:
    return _sigmoid_32 if x == types.float32 else _sigmoid_64
