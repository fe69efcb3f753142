"""
The file of an exported model: a zip of plain data, from which nothing is ever executed but matrix products.

    export.json       what the model is, its labels, tokenizer and inputs, and the hash of every other part
    vocabulary.json   the words, characters and other names by number
    arrays.npz        tables of the labels, transitions
    *.onnx            the graphs of embedder, encoder and head
    tokenizer.json    of a pretrained encoder, as the package `tokenizers` writes it
"""

import io
import json
import tarfile
import zipfile
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy import ndarray

from ner_zoo.platform.configuration_error import ConfigurationError

FORMAT, VERSION = "ner_zoo export", 1
SETTINGS, VOCABULARY, ARRAYS, GRAPH = "export.json", "vocabulary.json", "arrays.npz", ".onnx"
TOKENIZER = "tokenizer.json"
# An export holds numbers, which hardly compress: one that grows more than this was not made by us.
MOST_GROWTH = 100
# The weights of a graph may be in another file, whose name is kept under this key. Those of an export never are.
OTHER_FILE = b"\x08location"
COMMAND = "allennlp export model.tar.gz -o model.ner"
AGAIN = f"Export the model again: {COMMAND}"


@dataclass(frozen=True)
class Export:
    """
    settings : of `export.json`.
    vocabulary : the names of each namespace, by number.
    arrays : by name.
    graphs : ONNX, by name without the ending.
    card : the model card, in Markdown.
    tokenizer : of a pretrained encoder; without one, empty.
    """

    settings: dict[str, Any]
    vocabulary: dict[str, list[str]]
    arrays: dict[str, ndarray]
    graphs: dict[str, bytes]
    card: str = ""
    tokenizer: str = ""

    def write(self, path: str) -> None:
        """As one file."""
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
                # Numbers hardly compress, and would only take time to read.
                file.writestr(name, part, zipfile.ZIP_STORED if name.endswith(GRAPH) else zipfile.ZIP_DEFLATED)


def is_export(path: str) -> bool:
    """Whether a file looks like an export; whether it is one, `read_export` says."""
    return zipfile.is_zipfile(path)


def no_such_export(path: str) -> str:
    """What to tell a user who named a file that does not exist."""
    return f"There is no export {path}. Make one: {COMMAND}"


def read_export(path: str) -> Export:
    """The parts of an export, each of which is what it was when it was written."""
    try:
        with zipfile.ZipFile(path) as file:
            return _read(path, file)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ConfigurationError(no_such_export(path)) from error
    except IsADirectoryError as error:
        raise ConfigurationError(f"{path} is a folder. Give the file that `allennlp export` wrote.") from error
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, KeyError, NotImplementedError) as error:
        if _is_archive(path):
            raise ConfigurationError(
                f"{path} is the archive of a trained model. Export it first: allennlp export {path} -o model.ner"
            ) from error
        raise ConfigurationError(
            f"{path} is not an export of ner_zoo, or it is damaged or cut off: {_reason(error)}. {AGAIN}"
        ) from error


def _read(path: str, file: zipfile.ZipFile) -> Export:
    entries = file.infolist()
    if sum(entry.file_size for entry in entries) > MOST_GROWTH * sum(entry.compress_size + 100 for entry in entries):
        raise ValueError("it grows without measure when it is unpacked")
    settings = json.loads(file.read(SETTINGS))
    if not isinstance(settings, dict) or settings.get("format") != FORMAT:
        raise ValueError(f"{SETTINGS} does not describe one")
    if settings["version"] != VERSION:
        raise ConfigurationError(
            f"{path} has version {settings['version']} of the format, and this ner_zoo reads version {VERSION}. "
            "Export the model again with this ner_zoo, or install the one that made the export."
        )
    parts = {name: file.read(name) for name in settings["parts"]}
    for name, part in parts.items():
        if sha256(part).hexdigest() != settings["parts"][name]:
            raise ValueError(f"{name} was changed")
    graphs = {name.removesuffix(GRAPH): part for name, part in parts.items() if name.endswith(GRAPH)}
    if any(OTHER_FILE in graph for graph in graphs.values()):
        raise ValueError("a graph wants to read another file")
    with np.load(io.BytesIO(parts[ARRAYS]), allow_pickle=False) as loaded:
        arrays = {name: loaded[name] for name in loaded.files}
    card = parts.get("model_card.md", b"").decode("utf-8", "replace")
    tokenizer = parts.get(TOKENIZER, b"").decode()
    return Export(settings, json.loads(parts[VOCABULARY]), arrays, graphs, card, tokenizer)


def _is_archive(path: str) -> bool:
    try:
        return tarfile.is_tarfile(path)
    except OSError:
        return False


def _reason(error: Exception) -> str:
    return f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
