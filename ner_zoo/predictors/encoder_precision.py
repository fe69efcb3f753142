"""
Numeric precision of a pretrained encoder at prediction time.

    float   as trained
    bf16    bfloat16: half the memory, and twice as fast on processors that support it; many times slower on others
    auto    bf16 if it is faster on this machine, else float
    int8    linear layers in 8-bit integers, see `int8_linear`

Everything after the encoder stays in float. int8 requires the CPU. Scores change slightly: measure the effect on your
own data first.
"""

import timeit
from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model
from allennlp.modules.token_embedders import PretrainedTransformerEmbedder
from torch import Tensor

from ner_zoo.modules.int8_linear import quantize_linears

PRECISIONS = ("float", "bf16", "auto", "int8")


def set_precision(model: Model, precision: str) -> None:
    """Converts the encoders of a model in place."""
    if precision not in PRECISIONS:
        raise ConfigurationError(f"There is no precision {precision!r}. Use one of {', '.join(PRECISIONS)}.")
    encoders = [module for module in model.modules() if isinstance(module, PretrainedTransformerEmbedder)]
    if precision == "float" or (precision == "auto" and not encoders):
        return
    if not encoders:
        raise ConfigurationError(
            f"precision is {precision}, but the model has no pretrained encoder, and other models always use float. "
            f"Remove precision."
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
        raise ConfigurationError("precision is int8, which is only supported on the CPU. On a GPU, use bf16.")
    quantize_linears(encoder.transformer_model)


@torch.no_grad()
def is_faster_in_bf16(encoder: PretrainedTransformerEmbedder) -> bool:
    """Measures the speed on a linear layer of the encoder's size."""
    linear = next((module for module in encoder.modules() if isinstance(module, torch.nn.Linear)), None)
    if linear is None:
        return False
    rows = torch.ones(256, linear.in_features, device=linear.weight.device)
    return _seconds(linear.weight.bfloat16(), rows.bfloat16()) < _seconds(linear.weight, rows)


def _seconds(weight: Tensor, rows: Tensor) -> float:
    """The best of three matrix products; the first one may include some setup."""
    return min(timeit.repeat(lambda: float((rows @ weight.T)[0, 0]), number=1, repeat=4))
