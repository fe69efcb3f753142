"""Between torch and the compiled loops: tensors as arrays, and gradients of gradients by torch."""

from typing import Any, Callable, NamedTuple, Optional, Tuple

import numpy as np
import torch
from numpy import ndarray
from torch import Tensor

from ner_zoo.structures import kernels
from ner_zoo.structures.potentials import Potentials

Gradients = Tuple[Optional[Tensor], ...]


def array(tensor: Tensor) -> ndarray:
    return tensor.detach().contiguous().numpy()


def arguments(chain: Potentials) -> Tuple[ndarray, ...]:
    """What the loops take: scores, transitions, start, end, lengths, order, runs, penalties."""
    legal = chain.constraints
    return *(array(part) for part in chain[:4]), chain.lengths, legal.order, legal.runs, legal.penalties


class Sums(NamedTuple):
    """What the forward loop leaves for others; `totals` is NaN for the sentences it could not do."""

    totals: ndarray
    local: ndarray
    before: ndarray
    scale: ndarray
    steps: ndarray
    end: ndarray

    def undone(self) -> Optional[Tensor]:
        """True for the sentences that have to be done in log space; None if there are none."""
        undone = np.isnan(self.totals)
        return torch.from_numpy(undone) if undone.any() else None


def forward(chain: Potentials) -> Sums:
    return Sums(*kernels.forward_sums(*arguments(chain)))


def differentiable_gradients(ctx: Any, verb: Callable[[Potentials], Tensor], gradient: Tensor) -> Gradients:
    """The gradients of a verb by torch, which can be differentiated again if gradients are being recorded."""
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
