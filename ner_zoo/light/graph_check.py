"""
Checks untrusted ONNX graphs: they may only contain operations of onnxruntime on numbers in the graph itself.

Parses the protocol buffer into fields, because onnxruntime does not report the contents of a graph before opening it,
and `onnx` is not needed to run an export. The numbers of messages and fields are those of onnx.proto.
"""

from collections.abc import Iterator
from math import prod

import numpy as np

# Fields that contain messages, by the name of the message: the number of the field, and the message in it.
MESSAGES = {
    "model": {7: "graph", 8: "opset"},
    "graph": {1: "node", 5: "tensor"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 10: "tensor"},
}
# Fields that no export has: training and functions; sparse tensors; nested graphs, which loops need.
REFUSED = {
    "model": {20: "a training graph", 25: "custom functions"},
    "graph": {15: "a sparse tensor"},
    "attribute": {6: "a nested graph", 11: "a nested graph", 22: "a sparse tensor", 23: "a sparse tensor"},
    "tensor": {13: "numbers in another file", 14: "numbers in another file"},
}
DOMAINS = (b"", b"ai.onnx", b"com.microsoft")
DOMAIN = {"opset": 1, "node": 7}
DIMENSIONS, DATA_TYPE, FLOATS, RAW, DOUBLES = 1, 2, 4, 9, 10
FLOAT_TYPES = {1: "<f4", 10: "<f2", 11: "<f8"}
VARINT, EIGHT_BYTES, BYTES, FOUR_BYTES = 0, 1, 2, 5

Field = tuple[int, int | memoryview]


def check_graph(content: bytes) -> None:
    """Raises a `ValueError` that names anything in the graph that no export contains."""
    _check("model", memoryview(content))


def _check(message: str, content: memoryview) -> None:
    fields = list(_fields(content))
    for number, value in fields:
        refused = REFUSED.get(message, {}).get(number)
        if refused is not None and value != 0:
            raise ValueError(f"a graph has {refused}")
        inner = MESSAGES.get(message, {}).get(number)
        if inner is not None:
            _check(inner, _bytes(value))
        elif number == DOMAIN.get(message) and bytes(_bytes(value)) not in DOMAINS:
            raise ValueError(f"a graph has operations of {bytes(_bytes(value))[:80]!r}")
    if message == "tensor":
        _check_tensor(fields, len(content))


def _check_tensor(fields: list[Field], size: int) -> None:
    """Checks that all elements are present, each in at least half a byte, and are numbers."""
    dimensions = [one for number, value in fields if number == DIMENSIONS for one in _integers(value)]
    if prod(dimensions) > 2 * size:
        raise ValueError(f"a graph has a tensor of {'x'.join(map(str, dimensions))} in {size:,} bytes")
    types = [value for number, value in fields if number == DATA_TYPE]
    raw = FLOAT_TYPES.get(types[-1]) if types and isinstance(types[-1], int) else None
    for number, value in fields:
        kind = {FLOATS: "<f4", DOUBLES: "<f8", RAW: raw}.get(number)
        values = np.frombuffer(_bytes(value), kind) if kind is not None else np.zeros(0)
        # The maximum is NaN if any element is. Minus infinity is used for masking.
        if len(values) and not values.max() < np.inf:
            raise ValueError("a graph has weights that are NaN or infinite")


def _fields(content: memoryview) -> Iterator[Field]:
    """The fields of a message, in order."""
    place = 0
    while place < len(content):
        key, place = _varint(content, place)
        number, kind = key >> 3, key & 7
        if kind == VARINT:
            value, place = _varint(content, place)
            yield number, value
            continue
        if kind == BYTES:
            length, place = _varint(content, place)
        elif kind in (FOUR_BYTES, EIGHT_BYTES):
            length = 4 if kind == FOUR_BYTES else 8
        else:
            raise ValueError("a graph is not valid ONNX")
        if place + length > len(content):
            raise ValueError("a graph is truncated")
        yield number, content[place : place + length]
        place += length


def _varint(content: memoryview, place: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if place >= len(content):
            raise ValueError("a graph is truncated")
        byte, place = content[place], place + 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
    raise ValueError("a graph is not valid ONNX")


def _integers(value: int | memoryview) -> list[int]:
    """The integers of a field, single or packed."""
    if isinstance(value, int):
        return [value]
    found, place = [], 0
    while place < len(value):
        number, place = _varint(value, place)
        found.append(number)
    return found


def _bytes(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise ValueError("a graph is not valid ONNX")
    return value
