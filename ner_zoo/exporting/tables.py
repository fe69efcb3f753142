"""
Stores lookup tables of a graph with as few bytes as their numbers need.

    integers    in 16 or 32 bits instead of 64, without loss
    vectors     optionally in 8 bits: row = scale x integers, with a separate scale per row
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy import ndarray

# Smaller tables are not worth it.
FEW_ROWS = 1000
# The largest 8-bit integer.
LARGEST = 127


def with_small_tables(graph: bytes, has_small_vectors: bool) -> bytes:
    """The graph with compact large tables. has_small_vectors : whether vectors are stored in 8 bits."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load_from_string(graph)
    tables = {one.name: one for one in model.graph.initializer if len(one.dims) > 0 and one.dims[0] > FEW_ROWS}
    users: dict[str, list[Any]] = {}
    for node in model.graph.node:
        for name in set(node.input):
            users.setdefault(name, []).append(node)
    for name, table in tables.items():
        nodes = users.get(name, [])
        is_looked_up = all(node.op_type == "Gather" and node.input[0] == name and not _axis(node) for node in nodes)
        parts = _parts(numpy_helper.to_array(table), has_small_vectors) if is_looked_up else {}
        if not parts:
            continue
        model.graph.initializer.remove(table)
        model.graph.initializer.extend(numpy_helper.from_array(part, f"{name}.{key}") for key, part in parts.items())
        for node in nodes:
            place = list(model.graph.node).index(node)
            model.graph.node.remove(node)
            for offset, new in enumerate(_lookup(node, name, table.data_type, set(parts))):
                model.graph.node.insert(place + offset, new)
    return model.SerializeToString()


def _axis(node: Any) -> int:
    return next((attribute.i for attribute in node.attribute if attribute.name == "axis"), 0)


def _parts(table: ndarray, has_small_vectors: bool) -> dict[str, ndarray]:
    """The compact form of a table; nothing if it is not changed."""
    if table.dtype == np.int64:
        small = np.int16 if np.abs(table).max() < 1 << 15 else np.int32
        return {"values": table.astype(small)} if np.abs(table).max() < 1 << 31 else {}
    if table.dtype != np.float32 or table.ndim != 2 or not has_small_vectors:
        return {}
    scales = np.maximum(np.abs(table).max(1, keepdims=True), 1e-30) / LARGEST
    return {"values": np.rint(table / scales).astype(np.int8), "scales": scales.astype(np.float32)}


def _lookup(node: Any, name: str, kind: int, parts: set[str]) -> Iterator[Any]:
    """The nodes that replace one Gather node."""
    from onnx.helper import make_node

    places, (output,) = node.input[1], node.output
    found, values = f"{output}.found", f"{output}.values"
    yield make_node("Gather", [f"{name}.values", places], [found])
    if "scales" not in parts:
        yield make_node("Cast", [found], [output], to=kind)
        return
    yield make_node("Cast", [found], [values], to=kind)
    yield make_node("Gather", [f"{name}.scales", places], [f"{output}.scales"])
    yield make_node("Mul", [values, f"{output}.scales"], [output])
