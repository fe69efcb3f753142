"""
Linear layer in 8-bit integers, with separate scales for each input row and each output.

    x = l + s q,    l = min x,    q = 0 ... 127        W x + b = s W q + l W 1 + b

torch's own version has one scale for a whole batch, so one large value in one word reduces the precision of all others.
In an encoder with six layers, that gives an error of half the length of the vectors; with one scale per word it is a
tenth.
"""

import warnings
from typing import Any

import numpy as np
import torch
from numba import njit
from numpy import ndarray
from torch import Tensor

# Inputs take 7 bits: on processors without VNNI instructions, sums of two products with 8 bits would overflow.
LEVELS = 127


class Int8Linear(torch.nn.Module):
    """linear : a float layer on the CPU; it is not modified."""

    def __init__(self, linear: torch.nn.Linear) -> None:
        super().__init__()
        # torch's default for x86 uses oneDNN only on processors with VNNI, but it is faster on others too.
        product = OneDnnProduct if torch.backends.mkldnn.is_available() else DynamicProduct
        bias = linear.weight.new_zeros(len(linear.weight)) if linear.bias is None else linear.bias
        self.product = product(linear.weight.detach(), bias.detach())

    def forward(self, input: Tensor) -> Tensor:
        return self.product(input.flatten(0, -2)).unflatten(0, input.shape[:-1])


class OneDnnProduct(torch.nn.Module):
    """weight : `(outputs, inputs)`; bias : `(outputs,)`"""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        scale = weight.abs().amax(1).clamp(min=1e-8) / 127
        self.register_buffer("weight", (weight / scale.unsqueeze(1)).round().to(torch.int8))
        self.register_buffer("scale", scale)
        self.register_buffer("zero", torch.zeros(len(scale), dtype=torch.long))
        self.register_buffer("bias", bias)
        self.register_buffer("of_ones", self.weight.float().sum(1) * scale)  # the output for an input of ones
        self.packed = torch.ops.onednn.qlinear_prepack(self.weight, None)

    def __getstate__(self) -> dict[str, Any]:
        """Packed weights cannot be copied or pickled."""
        return {name: value for name, value in self.__dict__.items() if name != "packed"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.packed = torch.ops.onednn.qlinear_prepack(self.weight, None)

    def forward(self, rows: Tensor) -> Tensor:
        numbers = torch.empty(rows.shape, dtype=torch.uint8)
        least, steps = rows.new_empty(2, len(rows))
        _quantize(rows.contiguous().numpy(), numbers.numpy(), least.numpy(), steps.numpy())
        inputs, weights = (numbers, 1.0, 0), (self.packed, self.scale, self.zero)
        bias, output, activation = None, (1.0, 0, torch.float32), ("none", (), "")
        products = torch.ops.onednn.qlinear_pointwise(*inputs, *weights, bias, *output, *activation)
        _rescale(products.numpy(), least.numpy(), steps.numpy(), self.of_ones.numpy(), self.bias.numpy())
        return products


class DynamicProduct(torch.nn.Module):
    """The same with torch's default library, for processors that oneDNN does not support."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.register_buffer("bias", bias)
        plain = torch.nn.Linear(weight.shape[1], weight.shape[0], bias=False)
        plain.weight = torch.nn.Parameter(weight, requires_grad=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch announces a successor in a separate package
            plain.qconfig = torch.ao.quantization.per_channel_dynamic_qconfig
            self.product = torch.ao.nn.quantized.dynamic.Linear.from_float(plain)

    def forward(self, rows: Tensor) -> Tensor:
        largest = rows.abs().amax(-1, keepdim=True).clamp_(min=1e-8)
        return self.product(rows / largest).mul_(largest).add_(self.bias)


@njit(cache=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz", "arcp"})
def _quantize(rows: ndarray, numbers: ndarray, least: ndarray, steps: ndarray) -> None:
    """Writes each row as integers from 0 to 127, the value of 0, and the difference between two neighbours."""
    for at in range(rows.shape[0]):
        row, out = rows[at], numbers[at]
        low, high, invalid = row[0], row[0], np.float32(0.0)
        for k in range(row.shape[0]):
            low, high = min(low, row[k]), max(high, row[k])
            invalid += row[k] * np.float32(0.0)  # NaN if the row contains one, and 0 otherwise
        step = max(high - low, np.float32(1e-8)) / np.float32(LEVELS)
        factor = np.float32(1.0) / step
        for k in range(row.shape[0]):
            out[k] = np.uint8(np.int32((row[k] - low) * factor + np.float32(0.5)))
        least[at], steps[at] = low + invalid, step


@njit(cache=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz", "arcp"})
def _rescale(products: ndarray, least: ndarray, steps: ndarray, of_ones: ndarray, bias: ndarray) -> None:
    """Converts the products of integers to the outputs of the layer, in place."""
    for at in range(products.shape[0]):
        row, low, step = products[at], least[at], steps[at]
        for k in range(row.shape[0]):
            row[k] = row[k] * step + low * of_ones[k] + bias[k]


def quantize_linears(model: torch.nn.Module) -> None:
    """Replaces every linear layer of a model."""
    linears = [name for name, module in model.named_modules() if type(module) is torch.nn.Linear]
    for name in linears:
        parent, _, child = name.rpartition(".")
        setattr(model.get_submodule(parent), child, Int8Linear(model.get_submodule(name)))
