"""
How a pretrained encoder computes in use.

    float   as it was trained
    bf16    in bfloat16: half of the memory, and twice as fast on processors that have it; many times slower on others
    auto    bf16 if this machine is faster with it, else float
    int8    linear layers in integers of 8 bits, see `int8_linear`

Everything after the encoder stays in float. int8 is for the CPU. Scores change a little: measure what it costs on your
own data before you use it.
"""

import time
from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model
from allennlp.modules.token_embedders import PretrainedTransformerEmbedder
from torch import Tensor

from ner_zoo.modules.int8_linear import quantize_linears

PRECISIONS = ("float", "bf16", "auto", "int8")


def set_precision(model: Model, precision: str) -> None:
    """Changes the encoders of a model, for good."""
    if precision not in PRECISIONS:
        raise ConfigurationError(f"There is no precision {precision!r}. Give one of {', '.join(PRECISIONS)}.")
    encoders = [module for module in model.modules() if isinstance(module, PretrainedTransformerEmbedder)]
    if precision == "float" or (precision == "auto" and not encoders):
        return
    if not encoders:
        raise ConfigurationError(
            f"precision is {precision}, but the model has no pretrained encoder, and the rest of a model computes in "
            "float. Leave it out."
        )
    for encoder in encoders:
        if precision == "int8":
            quantize(encoder)
        elif precision == "bf16" or is_faster_in_bf16(encoder):
            encoder.transformer_model.to(torch.bfloat16)
            encoder.register_forward_hook(in_float)


def in_float(encoder: torch.nn.Module, inputs: Any, output: Tensor) -> Tensor:
    return output.float()


def quantize(encoder: PretrainedTransformerEmbedder) -> None:
    if next(encoder.parameters()).device.type != "cpu":
        raise ConfigurationError("precision is int8, which is for the CPU. On a GPU use bf16.")
    quantize_linears(encoder.transformer_model)


@torch.no_grad()
def is_faster_in_bf16(encoder: PretrainedTransformerEmbedder) -> bool:
    """Measured on a linear layer of the size of the encoder's."""
    linear = next((module for module in encoder.modules() if isinstance(module, torch.nn.Linear)), None)
    if linear is None:
        return False
    rows = torch.ones(256, linear.in_features, device=linear.weight.device)
    return _seconds(linear.weight.bfloat16(), rows.bfloat16()) < _seconds(linear.weight, rows)


def _seconds(weight: Tensor, rows: Tensor) -> float:
    """The best of three products; the first may have to prepare something."""
    best = float("inf")
    for _ in range(4):
        start = time.perf_counter()
        float((rows @ weight.T)[0, 0])
        best = min(best, time.perf_counter() - start)
    return best
