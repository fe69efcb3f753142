"""A graph that holds anything but operations on its own numbers is refused, before onnxruntime sees it."""

from collections.abc import Callable

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from ner_zoo.light.graph_check import check_graph
from tests.light.random_models import random_export


def model(weights: np.ndarray, *nodes: onnx.NodeProto, **settings: object) -> onnx.ModelProto:
    value = helper.make_tensor_value_info("out", TensorProto.FLOAT, None)
    graph = helper.make_graph(
        [helper.make_node("Identity", ["w"], ["out"]), *nodes],
        "graph",
        [],
        [value],
        [numpy_helper.from_array(weights, "w")],
    )
    return helper.make_model(graph, **settings)


def in_another_file() -> onnx.ModelProto:
    found = model(np.zeros(3, np.float32))
    weights = found.graph.initializer[0]
    weights.ClearField("raw_data")
    weights.data_location = TensorProto.EXTERNAL
    weights.external_data.add(key="location", value="/etc/hostname")
    return found


def without_its_numbers() -> onnx.ModelProto:
    found = model(np.zeros(3, np.float32))
    found.graph.initializer[0].dims[:] = [1 << 40, 1 << 20]
    return found


def in_single_floats() -> onnx.ModelProto:
    found = model(np.zeros(3, np.float32))
    found.graph.initializer[0].CopyFrom(helper.make_tensor("w", TensorProto.FLOAT, [2], [0.5, float("nan")]))
    return found


def in_a_constant() -> onnx.ModelProto:
    infinite = numpy_helper.from_array(np.array([np.inf], np.float16))
    return model(np.zeros(3, np.float32), helper.make_node("Constant", [], ["c"], value=infinite))


def with_a_loop() -> onnx.ModelProto:
    body = helper.make_graph([], "body", [], [])
    return model(np.zeros(3, np.float32), helper.make_node("Loop", ["n", "go"], ["last"], body=body))


def with_a_function() -> onnx.ModelProto:
    function = helper.make_function("own", "f", ["x"], ["y"], [], [helper.make_opsetid("", 17)])
    return model(np.zeros(3, np.float32), functions=[function])


def with_an_operation_of_a_library() -> onnx.ModelProto:
    return model(np.zeros(3, np.float32), helper.make_node("Run", ["w"], ["x"], domain="evil.library"))


@pytest.mark.parametrize(
    "build, reason",
    [
        (in_another_file, "another file"),
        (without_its_numbers, "a tensor of 1099511627776x1048576 in"),
        (in_single_floats, "NaN or infinite"),
        (in_a_constant, "NaN or infinite"),
        (lambda: model(np.array([1, np.nan])), "NaN or infinite"),
        (with_a_loop, "a nested graph"),
        (with_a_function, "custom functions"),
        (with_an_operation_of_a_library, "evil.library"),
        (lambda: model(np.zeros(3), opset_imports=[helper.make_opsetid("evil", 1)]), "operations of b'evil'"),
    ],
)
def test_what_no_export_holds_is_refused(build: Callable[[], onnx.ModelProto], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_graph(build().SerializeToString())


def test_another_spelling_of_the_same_bytes_is_refused_too() -> None:
    """Every length on the way to the name of the file takes one byte more than it needs."""

    def field(number: int, content: bytes) -> bytes:
        length, spelt = len(content), bytearray()
        while length >= 128:
            spelt.append(length & 127 | 128)
            length >>= 7
        return bytes([number << 3 | 2, *spelt, length | 128, 0]) + content

    entry = field(1, b"location") + field(2, b"/etc/hostname")
    tensor = field(13, entry) + field(8, b"w")
    content = field(7, field(5, tensor))
    read = onnx.ModelProto.FromString(content)
    assert read.graph.initializer[0].external_data == in_another_file().graph.initializer[0].external_data
    with pytest.raises(ValueError, match="another file"):
        check_graph(content)


def test_what_is_cut_off_or_not_a_graph_is_refused() -> None:
    content = model(np.zeros(3, np.float32)).SerializeToString()
    check_graph(content)
    for bad in (content[:-3], b"\xff" * 20, b"\x0b\x0c", b"\x38\x01"):
        with pytest.raises(ValueError, match="a graph is"):
            check_graph(bad)


@pytest.mark.parametrize("name", ["tagger", "joint", "span_biaffine"])
def test_graphs_of_exports_pass(name: str) -> None:
    for graph in random_export(name).graphs.values():
        check_graph(graph)
