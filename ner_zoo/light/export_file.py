"""
The file of an exported model: a zip of plain data, read in memory and within the limits for archives. Nothing in it is
executed except operations of onnxruntime.

    export.json       the kind of model, its labels, tokenizer and inputs, and the hash of every other part
    vocabulary.json   the words, characters and other names by index
    arrays.npz        tables of the labels, transitions
    *.onnx            the graphs of embedder, encoder and head
    tokenizer.json    of a pretrained encoder, as written by the package `tokenizers`
"""

import io
import json
import os
import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy import ndarray

from ner_zoo.light.graph_check import check_graph
from ner_zoo.platform.archive_unpacking import ALWAYS_ALLOWED, CHUNK, limit
from ner_zoo.platform.configuration_error import ConfigurationError

FORMAT, VERSION = "ner_zoo export", 1
SETTINGS, VOCABULARY, ARRAYS, GRAPH = "export.json", "vocabulary.json", "arrays.npz", ".onnx"
TOKENIZER = "tokenizer.json"
# Errors from zip files, JSON, numpy and the checks below for an invalid file.
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    MemoryError,
    RuntimeError,  # encrypted zip, deeply nested JSON, or unsupported compression
)
COMMAND = "allennlp export model.tar.gz -o model.ner"
AGAIN = f"Export the model again: {COMMAND}"


@dataclass(frozen=True)
class Export:
    """
    settings : contents of `export.json`.
    vocabulary : the names in each namespace, by index.
    arrays : by name.
    graphs : ONNX, by name without the extension.
    card : the model card, in Markdown.
    tokenizer : of a pretrained encoder; empty without one.
    """

    settings: dict[str, Any]
    vocabulary: dict[str, list[str]]
    arrays: dict[str, ndarray]
    graphs: dict[str, bytes]
    card: str = ""
    tokenizer: str = ""

    def write(self, path: str) -> None:
        """The export as one file."""
        arrays = io.BytesIO()
        np.savez(arrays, **self.arrays)  # type: ignore[arg-type]
        parts = {f"{name}{GRAPH}": graph for name, graph in self.graphs.items()}
        parts |= {VOCABULARY: json.dumps(self.vocabulary).encode(), ARRAYS: arrays.getvalue()}
        if self.tokenizer:
            parts[TOKENIZER] = self.tokenizer.encode()
        if self.card:
            parts["model_card.md"] = self.card.encode("utf-8", "replace")
        hashes = {name: sha256(part).hexdigest() for name, part in sorted(parts.items())}
        settings = {"format": FORMAT, "version": VERSION, **self.settings, "parts": hashes}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            file.writestr(SETTINGS, json.dumps(settings, indent=1))
            for name, part in sorted(parts.items()):
                # Numbers hardly compress, and decompressing them would take time.
                file.writestr(name, part, zipfile.ZIP_STORED if name.endswith(GRAPH) else zipfile.ZIP_DEFLATED)


def is_export(path: str) -> bool:
    """Whether a file looks like an export; `read_export` checks whether it is one."""
    return zipfile.is_zipfile(path)


def no_such_export(path: str) -> str:
    """The error message for a file that does not exist."""
    return f"There is no export {path}. Create one: {COMMAND}"


def read_export(path: str) -> Export:
    """The parts of an export, each checked against its hash."""
    try:
        with zipfile.ZipFile(path) as file:
            return _read(path, file)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ConfigurationError(no_such_export(path)) from error
    except IsADirectoryError as error:
        raise ConfigurationError(f"{path} is a folder. Pass the file written by `allennlp export`.") from error
    except UNREADABLE as error:
        if _is_archive(path):
            raise ConfigurationError(
                f"{path} is the archive of a trained model. Export it first: allennlp export {path} -o model.ner"
            ) from error
        raise ConfigurationError(
            f"{path} is not an export of ner_zoo, or it is damaged or truncated: {_reason(error)}. {AGAIN}"
        ) from error


def _read(path: str, file: zipfile.ZipFile) -> Export:
    check_sizes(file, os.path.getsize(path))
    settings = json.loads(content_of(file, SETTINGS))
    if not isinstance(settings, dict) or settings.get("format") != FORMAT:
        raise ValueError(f"{SETTINGS} does not describe an export")
    if settings["version"] != VERSION:
        raise ConfigurationError(
            f"{path} has version {settings['version']} of the format, but this ner_zoo reads version {VERSION}. "
            f"Export the model again with this ner_zoo, or install the version that created the export."
        )
    parts = {name: content_of(file, name) for name in settings["parts"]}
    for name, part in parts.items():
        if sha256(part).hexdigest() != settings["parts"][name]:
            raise ValueError(f"{name} was changed")
    graphs = {name.removesuffix(GRAPH): part for name, part in parts.items() if name.endswith(GRAPH)}
    for graph in graphs.values():
        check_graph(graph)
    card = parts.get("model_card.md", b"").decode("utf-8", "replace")
    tokenizer = parts.get(TOKENIZER, b"").decode()
    return Export(settings, vocabulary_in(parts[VOCABULARY]), arrays_in(parts[ARRAYS]), graphs, card, tokenizer)


def check_sizes(file: zipfile.ZipFile, size: int) -> None:
    """Checks that the file, of this many bytes, is within the limits for archives."""
    entries = file.infolist()
    most, gigabytes, ratio = (limit(f"NER_ZOO_MAX_ARCHIVE_{name}") for name in ("MEMBERS", "GIGABYTES", "RATIO"))
    if len(entries) > most or len({entry.filename for entry in entries}) < len(entries):
        raise ValueError(f"it contains more than {most:,.0f} files, or two with the same name")
    if sum(entry.file_size for entry in entries) > min(gigabytes * 1e9, ALWAYS_ALLOWED + ratio * size):
        raise ValueError(f"it unpacks to more than {gigabytes:g} GB, or {ratio:g} times its own size")


def content_of(file: zipfile.ZipFile, name: str) -> bytes:
    """Reads one member, and never more than its declared size: zipfile would unpack everything before it checks."""
    entry = file.getinfo(name)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name} uses an unsupported compression")
    content = bytearray()
    with file.open(entry) as member:
        while chunk := member.read(CHUNK):
            content += chunk
    return bytes(content)


def vocabulary_in(content: bytes) -> dict[str, list[str]]:
    vocabulary = json.loads(content)
    if not all(isinstance(name, str) for names in vocabulary.values() for name in names):
        raise ValueError(f"{VOCABULARY} does not contain words")
    return vocabulary


def arrays_in(content: bytes) -> dict[str, ndarray]:
    """Plain arrays: not pickled, not compressed, no NaN. Minus infinity is a forbidden transition."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        if any(entry.compress_type != zipfile.ZIP_STORED for entry in file.infolist()):
            raise ValueError(f"{ARRAYS} is compressed")
        check_sizes(file, len(content))
    with np.load(io.BytesIO(content), allow_pickle=False) as loaded:
        arrays = {name: loaded[name] for name in loaded.files}
    for name, array in arrays.items():
        if array.dtype.kind == "f" and array.size and not array.max() < np.inf:
            raise ValueError(f"{name} in {ARRAYS} is NaN or infinite")
    return arrays


def _is_archive(path: str) -> bool:
    try:
        return tarfile.is_tarfile(path)
    except OSError:
        return False


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return str(error.args[0]) if " " in str(error.args[0]) else f"{error.args[0]} is missing"
    return str(error).rstrip(".") or type(error).__name__
