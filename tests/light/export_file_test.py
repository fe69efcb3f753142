"""A file that is not a complete export is refused, with advice."""

import io
import json
import random
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from ner_zoo.light import load_predictor
from ner_zoo.light.export_file import read_export
from ner_zoo.platform.configuration_error import ConfigurationError
from tests.light.random_models import random_export
from tests.trained_models import tagger_archive

__all__ = ["tagger_archive"]


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "model.ner"
    random_export("tagger").write(str(path))
    return path


def changed(old_path: Path, path: Path, **parts: bytes) -> str:
    """The export with other parts, named without endings; the hashes stay those of the old ones."""
    with zipfile.ZipFile(old_path) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            new.writestr(name, parts.get(name.partition(".")[0], old.read(name)))
    return str(path)


def test_what_is_written_is_read(export: Path) -> None:
    written, read = random_export("tagger"), read_export(str(export))
    assert read.graphs == written.graphs and read.vocabulary == written.vocabulary
    assert all(np.array_equal(read.arrays[name], array) for name, array in written.arrays.items())


def test_a_file_that_is_cut_off_or_damaged_anywhere_is_refused(export: Path, tmp_path: Path) -> None:
    content = export.read_bytes()
    draw = random.Random(4)
    path = tmp_path / "bad.ner"
    for _ in range(20):
        path.write_bytes(content[: draw.randrange(len(content))])
        with pytest.raises(ConfigurationError, match="allennlp export"):
            read_export(str(path))
    for _ in range(20):
        damaged = bytearray(content)
        start = draw.randrange(len(content) - 64)
        damaged[start : start + 64] = bytes(255 - byte for byte in damaged[start : start + 64])
        path.write_bytes(damaged)
        with pytest.raises(ConfigurationError, match="allennlp export"):
            read_export(str(path))


def test_files_of_other_kinds_are_refused(tagger_archive: Path, tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "none.ner", "There is no export"), (tmp_path, "folder")):
        with pytest.raises(ConfigurationError, match=reason):
            read_export(str(path))
    with pytest.raises(ConfigurationError, match=f"allennlp export {tagger_archive} -o"):
        read_export(str(tagger_archive))
    (tmp_path / "text.ner").write_text("Ada lived in London.")
    with zipfile.ZipFile(tmp_path / "zip.ner", "w") as file:
        file.writestr("export.json", "[]")
    for name in ("text.ner", "zip.ner"):
        with pytest.raises(ConfigurationError, match="not an export of ner_zoo"):
            read_export(str(tmp_path / name))


def test_parts_that_were_exchanged_are_refused(export: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"words\.onnx was changed"):
        read_export(changed(export, tmp_path / "one.ner", words=b"other"))
    with zipfile.ZipFile(export) as file:
        settings = json.loads(file.read("export.json"))
    newer = json.dumps({**settings, "version": 99}).encode()
    with pytest.raises(ConfigurationError, match="version 99"):
        read_export(changed(export, tmp_path / "two.ner", export=newer))
    foreign = json.dumps({**settings, "kind": "unknown"}).encode()
    with pytest.raises(ConfigurationError, match="lacks a part"):
        load_predictor(changed(export, tmp_path / "three.ner", export=foreign))


def test_a_pickle_or_a_graph_that_reads_other_files_is_never_opened(tmp_path: Path) -> None:
    export = random_export("tagger")
    pickled = io.BytesIO()
    np.savez(pickled, start=np.array([print], dtype=object))
    path = tmp_path / "pickle.ner"
    export.write(str(path))
    with zipfile.ZipFile(path) as file:
        settings = json.loads(file.read("export.json"))
    settings["parts"]["arrays.npz"] = sha256(pickled.getvalue()).hexdigest()
    bad = changed(path, tmp_path / "bad.ner", arrays=pickled.getvalue(), export=json.dumps(settings).encode())
    with pytest.raises(ConfigurationError, match="not an export"):
        read_export(bad)
    reading = type(export)(export.settings, export.vocabulary, export.arrays, {"words": b"\n\x08location\x12\x04/etc"})
    reading.write(str(path))
    with pytest.raises(ConfigurationError, match="another file"):
        read_export(str(path))
