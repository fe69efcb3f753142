"""
The perturbation of a given length that raises a loss most, to first order.

    eta = epsilon g / ||g||,  one norm per sentence

On the CPU, a compiled loop takes less than half of the time of torch's operations.
"""

from math import inf, sqrt

import torch
from numba import njit
from numpy import ndarray
from torch import Tensor


def worst_change(vectors: Tensor, gradients: Tensor, epsilon: float, is_relative: bool) -> Tensor:
    """
    The perturbation of each sentence. It is 0 without a gradient, which gives no direction, and with one that is not
    finite.

    vectors, gradients : `(sentences, vectors, dim)`
    is_relative : whether epsilon is relative to the length of the sentence's vectors. Padding, and anything else that
        the loss ignores, has no gradient and does not count.
    """
    if vectors.device.type != "cpu":
        return in_torch(vectors, gradients, epsilon, is_relative)
    vectors, gradients = vectors.contiguous(), gradients.contiguous()
    changes = torch.zeros_like(gradients)
    _fill(vectors.numpy(), gradients.numpy(), epsilon, is_relative, changes.numpy())
    return changes


def in_torch(vectors: Tensor, gradients: Tensor, epsilon: float, is_relative: bool) -> Tensor:
    """As `worst_change`, on any device."""
    norms = torch.linalg.vector_norm(gradients, dim=2)
    norm = torch.linalg.vector_norm(norms, dim=1)
    length: float | Tensor = epsilon
    if is_relative:
        length = epsilon * torch.linalg.vector_norm(torch.linalg.vector_norm(vectors, dim=2) * (norms > 0), dim=1)
    is_usable = (norm > 0) & norm.isfinite()
    return (gradients * (length / norm)[:, None, None]).masked_fill(~is_usable[:, None, None], 0.0)


@njit(cache=True, error_model="numpy", fastmath={"contract", "reassoc"})
def _fill(vectors: ndarray, gradients: ndarray, epsilon: float, is_relative: bool, changes: ndarray) -> None:
    zero = gradients.dtype.type(0.0)
    for sentence in range(gradients.shape[0]):
        squares, length = zero, zero
        for at in range(gradients.shape[1]):
            square, own = zero, zero
            for d in range(gradients.shape[2]):
                square += gradients[sentence, at, d] * gradients[sentence, at, d]
                own += vectors[sentence, at, d] * vectors[sentence, at, d]
            squares += square
            length += own if square > 0.0 else zero
        if 0.0 < squares < inf:
            factor = gradients.dtype.type(epsilon / sqrt(squares) * (sqrt(length) if is_relative else 1.0))
            for at in range(gradients.shape[1]):
                for d in range(gradients.shape[2]):
                    changes[sentence, at, d] = gradients[sentence, at, d] * factor
