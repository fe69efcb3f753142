"""
A linear layer in integers of 8 bits, each row of the input and each output with a scale of its own.

    y = m q(W) q(x / m) + b,    m = max |x|

torch's own has one scale for a whole batch, so that one large number in one word takes the digits of all others. In an
encoder of six layers that makes an error of half the length of the vectors; with a scale for each word it is a tenth.
"""

import warnings

import torch
from torch import Tensor


class Int8Linear(torch.nn.Module):
    """linear : in float, on the CPU; it is left as it is."""

    def __init__(self, linear: torch.nn.Linear) -> None:
        super().__init__()
        plain = torch.nn.Linear(linear.in_features, linear.out_features, bias=False)
        plain.weight = linear.weight
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch announces a successor, a package of its own
            plain.qconfig = torch.ao.quantization.per_channel_dynamic_qconfig
            self.product = torch.ao.nn.quantized.dynamic.Linear.from_float(plain)
        self.register_buffer("bias", None if linear.bias is None else linear.bias.detach())

    def forward(self, input: Tensor) -> Tensor:
        largest = input.abs().amax(-1, keepdim=True).clamp_(min=1e-8)
        output = self.product(input / largest).mul_(largest)
        return output if self.bias is None else output.add_(self.bias)


def quantize_linears(model: torch.nn.Module) -> None:
    """Puts one in the place of every linear layer of a model."""
    linears = [name for name, module in model.named_modules() if type(module) is torch.nn.Linear]
    for name in linears:
        parent, _, child = name.rpartition(".")
        setattr(model.get_submodule(parent), child, Int8Linear(model.get_submodule(name)))
