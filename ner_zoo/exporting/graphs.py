"""
Converts a torch module to an ONNX graph, and checks that both give the same results before it is written.
"""

import contextlib
import io
import logging
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ner_zoo.light.sessions import Graph
from ner_zoo.platform.configuration_error import ConfigurationError

OPSET = 17
# The largest difference due to rounding, relative to values above 1.
TOLERANCE = 1e-4

# The inputs of a module by name, in the order of its arguments.
Example = Mapping[str, Tensor]


class PartOfModel(torch.nn.Module):
    """A part of a model that becomes a graph: subclasses define its `forward`."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model


def graph_of(
    part: str,
    module: torch.nn.Module,
    examples: Sequence[Example],
    outputs: Sequence[str],
    axes: Mapping[str, Sequence[str]],
) -> bytes:
    """
    part : description of the module, for messages.
    examples : the first is traced; the graph must agree with the module on all of them, so they differ in size.
    outputs : names.
    axes : the names of the leading dimensions of inputs and outputs, which may have any size; the others are fixed.
    """
    module.eval()
    content = io.BytesIO()
    try:
        with torch.no_grad(), _without_warnings():
            torch.onnx.export(
                module,
                tuple(examples[0].values()),
                content,  # type: ignore[arg-type]
                input_names=list(examples[0]),
                output_names=list(outputs),
                dynamic_axes={name: dict(enumerate(names)) for name, names in axes.items()},
                opset_version=OPSET,
                dynamo=False,
            )
    except Exception as error:
        raise ConfigurationError(f"The {part} cannot be written as an ONNX graph: {error}") from error
    graph = Graph(part, content.getvalue())
    for example in examples:
        _check(part, module, graph, example, outputs)
    return content.getvalue()


@contextlib.contextmanager
def _without_warnings() -> Iterator[None]:
    """
    Torch warns about values that tracing treats as constants, and its native code about the shapes of packed sequences,
    on file descriptor 2, past Python. The examples show whether they are right, and errors are raised as exceptions.
    """
    logger = logging.getLogger("torch.onnx")
    level, logger.level = logger.level, logging.ERROR
    stderr, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        logger.level = level
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(nowhere)


def _check(part: str, module: torch.nn.Module, graph: Graph, example: Example, outputs: Sequence[str]) -> None:
    with torch.no_grad():
        wanted = module(*example.values())
    found = graph({name: value.numpy() for name, value in example.items()})
    for name, value in zip(outputs, wanted if isinstance(wanted, tuple) else (wanted,)):
        right = value.numpy()
        is_right = right.shape == found[name].shape and np.all(
            np.abs(right - found[name]) <= TOLERANCE * np.maximum(1.0, np.abs(right))
        )
        if not is_right:
            raise ConfigurationError(
                f"The ONNX graph of the {part} gives different results than torch, so it is not exported. The model "
                f"contains a part that depends on the size of its input; use parts of ner_zoo instead."
            )
