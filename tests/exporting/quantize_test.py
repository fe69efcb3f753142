"""Products of 8 bits do not overflow, whatever the processor adds them with."""

import io

import numpy as np
import torch

from ner_zoo.exporting.quantize import _quantize
from ner_zoo.light.sessions import Graph


def test_large_weights_and_values_do_not_overflow() -> None:
    # Without a bias the layers are products and not `Gemm`, as in an encoder, whose inputs have three dimensions.
    layers = torch.nn.Sequential(
        torch.nn.Linear(64, 32, bias=False), torch.nn.ReLU(), torch.nn.Linear(32, 4, bias=False)
    )
    with torch.no_grad():
        for parameter in layers.parameters():
            parameter.fill_(1.0)
    content = io.BytesIO()
    names: dict = {"input_names": ["vectors"], "output_names": ["scores"]}
    values = torch.ones(2, 3, 64)
    torch.onnx.export(layers.eval(), (values,), content, opset_version=17, dynamo=False, **names)  # type: ignore[arg-type]
    small = _quantize(content.getvalue())
    assert b"MatMulInteger" in small
    found = Graph("encoder", small)({"vectors": values.numpy()})["scores"]
    assert np.allclose(found, 64 * 32, rtol=0.02)
