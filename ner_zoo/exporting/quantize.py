"""
Quantises weights to 8 bits: of matrix products, of LSTMs, and the vectors of words and word pieces. The last layer,
whose few weights decide between labels, is not changed.
"""

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ner_zoo.exporting.tables import with_small_tables
from ner_zoo.light.export_file import Export

QUANTIZED = ("MatMul", "LSTM")
# The graphs from word vectors to contextual vectors, and of a pretrained encoder.
ENCODERS = ("encoder", "pieces")
# The graphs that look up the vectors of words and of word pieces.
TABLES = ("words", "pieces")


def quantized(export: Export) -> Export:
    """The export with 8-bit weights in the graphs of its encoders, and 8-bit word vectors."""
    graphs = {name: _quantize(graph) if name in ENCODERS else graph for name, graph in export.graphs.items()}
    for name in set(graphs) & set(TABLES):
        graphs[name] = with_small_tables(graphs[name], has_small_vectors=True)
    return replace(export, graphs=graphs, settings={**export.settings, "precision": "int8"})


def _quantize(graph: bytes) -> bytes:
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    model = onnx.load_from_string(graph)
    last = {name for name in _producers(model) if name}
    with tempfile.TemporaryDirectory() as folder, _without_advice():
        path = Path(folder) / "quantized.onnx"
        quantize_dynamic(
            model,
            path,
            op_types_to_quantize=list(QUANTIZED),
            nodes_to_exclude=sorted(last),
            weight_type=QuantType.QInt8,
            per_channel=True,
            # Seven bits: processors without VNNI add two products of 8 bits in 16, which overflows with eight.
            reduce_range=True,
        )
        return path.read_bytes()


@contextmanager
def _without_advice() -> Iterator[None]:
    """Suppresses onnxruntime's log message that advises preprocessing, which these graphs do not need."""
    root = logging.getLogger()
    root.addFilter(_is_no_advice)
    try:
        yield
    finally:
        root.removeFilter(_is_no_advice)


def _is_no_advice(record: logging.LogRecord) -> bool:
    return "pre-processing before quantization" not in record.getMessage()


def _producers(model: object) -> set[str]:
    """The names of the products from which the outputs of a graph are computed, with only sums in between."""
    graph = model.graph  # type: ignore[attr-defined]
    made_by = {output: node for node in graph.node for output in node.output}
    found: set[str] = set()
    waiting = [output.name for output in graph.output]
    while waiting:
        node = made_by.get(waiting.pop())
        if node is None:
            continue
        if node.op_type == "MatMul":
            found.add(node.name)
        elif node.op_type in ("Add", "Mul", "Cast"):
            waiting += node.input
    return found
