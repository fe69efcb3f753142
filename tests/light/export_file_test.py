"""A file that is not a complete export is refused, with advice."""

import io
import json
import random
import tracemalloc
import warnings
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from allennlp.models import load_archive

from ner_zoo.light import load_predictor
from ner_zoo.light.export_file import read_export
from ner_zoo.platform.archives import archive_config
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


def rewritten(old_path: Path, path: Path, compression: int = zipfile.ZIP_STORED, **parts: bytes) -> str:
    """The export with other parts, named without endings, and with their hashes: as its author could write it."""
    with zipfile.ZipFile(old_path) as old, zipfile.ZipFile(path, "w", compression) as new:
        contents = {name: parts.get(name.partition(".")[0], old.read(name)) for name in old.namelist()}
        if "export" not in parts:
            settings = json.loads(contents["export.json"])
            settings["parts"] = {name: sha256(contents[name]).hexdigest() for name in settings["parts"]}
            contents["export.json"] = json.dumps(settings).encode()
        for name, content in contents.items():
            new.writestr(name, content)
    return str(path)


def saved(compressed: bool = False, **arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def claiming_to_be_large() -> bytes:
    """A table whose header says that it has more numbers than any machine has bytes."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (1 << 50,)})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as arrays:
        arrays.writestr("start.npy", header.getvalue())
    return file.getvalue()


def test_an_export_that_its_author_wrote_to_harm_is_refused(export: Path, tmp_path: Path) -> None:
    hostile: list[tuple[str, dict[str, bytes]]] = [
        ("pickle", {"arrays": saved(start=np.array([print], dtype=object))}),
        ("is compressed", {"arrays": saved(True, start=np.zeros(50_000_000, np.float32))}),
        ("start in arrays.npz is NaN", {"arrays": saved(start=np.array([0, np.nan]))}),
        ("not an export", {"arrays": claiming_to_be_large()}),
        ("not an export", {"arrays": b"PK"}),
        ("another file", {"words": b"\x3a\x09\x2a\x07\x6a\x05\x0a\x03abc"}),
        ("not an export", {"vocabulary": b"[" * 200_000}),
        ("not an export", {"vocabulary": b"[1, 2"}),
        ("not an export", {"vocabulary": b'{"tokens": [7]}'}),
        ("not an export", {"export": b"\xff\xfe"}),
        ("not an export", {"export": json.dumps({"format": "ner_zoo export", "version": 1, "parts": 3}).encode()}),
        ("no item named", {"export": b'{"format": "ner_zoo export", "version": 1, "parts": {"../../x": ""}}'}),
        ("version", {"export": json.dumps({"format": "ner_zoo export"}).encode()}),
    ]
    for number, (reason, parts) in enumerate(hostile):
        path = rewritten(export, tmp_path / f"{number}.ner", **parts)
        with pytest.raises(ConfigurationError, match=reason):
            load_predictor(path)


def test_bombs_are_refused_before_they_are_unpacked(export: Path, tmp_path: Path) -> None:
    zeros = bytes(200 << 20)
    path = rewritten(export, tmp_path / "ratio.ner", zipfile.ZIP_DEFLATED, vocabulary=zeros)
    assert Path(path).stat().st_size < 1 << 20
    tracemalloc.start()
    with pytest.raises(ConfigurationError, match="200 times its own size"):
        read_export(path)
    lying(path, len(zeros), 10)
    with pytest.raises(ConfigurationError, match="not an export"):
        read_export(path)
    assert tracemalloc.get_traced_memory()[1] < 20 << 20
    tracemalloc.stop()
    with pytest.raises(ConfigurationError, match="uses an unsupported compression"):
        read_export(rewritten(export, tmp_path / "lzma.ner", zipfile.ZIP_LZMA))


def lying(path: str, size: int, claimed: int) -> None:
    """The zip says in its directory, and in front of the member, that it holds less than it does."""
    content = Path(path).read_bytes()
    Path(path).write_bytes(content.replace(size.to_bytes(4, "little"), claimed.to_bytes(4, "little")))


def test_an_export_with_too_many_files_or_two_of_one_name_is_refused(export: Path, tmp_path: Path) -> None:
    many, twice = tmp_path / "many.ner", tmp_path / "twice.ner"
    with zipfile.ZipFile(many, "w") as file:
        for number in range(1_001):
            file.writestr(str(number), b"")
    with zipfile.ZipFile(rewritten(export, twice), "a") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        file.writestr("export.json", b"{}")
    for path in (many, twice):
        with pytest.raises(ConfigurationError, match="more than 1,000 files, or two with the same name"):
            read_export(str(path))


def test_a_limit_can_be_raised_as_for_archives(export: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = rewritten(export, tmp_path / "large.ner", zipfile.ZIP_DEFLATED, model_card=bytes(80 << 20))
    monkeypatch.setenv("NER_ZOO_MAX_ARCHIVE_RATIO", "0.1")
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("large", bytes(80 << 20), zipfile.ZIP_DEFLATED)
    with pytest.raises(ConfigurationError, match="0.1 times its own size"):
        read_export(path)
    monkeypatch.setenv("NER_ZOO_MAX_ARCHIVE_RATIO", "1000")
    assert read_export(path).settings["kind"] == "tagger"


@pytest.mark.parametrize(
    "change", [{"labels": 3}, {"sentence_splitter": 3}, {"tokenizer": []}, {"inputs": [3]}, {"inputs": None}], ids=str
)
def test_settings_of_another_kind_are_refused(change: dict[str, object], export: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(export) as file:
        settings = json.loads(file.read("export.json"))
    content = json.dumps({**settings, **change}).encode()
    with pytest.raises(ConfigurationError, match="allennlp export"):
        load_predictor(rewritten(export, tmp_path / "bad.ner", export=content))


def test_an_export_in_place_of_an_archive_is_called_an_export(export: Path, tmp_path: Path) -> None:
    for read in (load_archive, archive_config):
        with pytest.raises(
            ConfigurationError, match="is an exported model.*Pass the archive that it was exported from"
        ):
            read(export)
    cut = tmp_path / "cut.ner"
    cut.write_bytes(export.read_bytes()[:5000])
    with pytest.raises(ConfigurationError, match="cut.ner is an exported model, but it is damaged or truncated"):
        load_archive(cut)
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("letter.txt", "Dear Ada")
    with pytest.raises(ConfigurationError, match="other.zip is not a complete .tar.gz file"):
        load_archive(tmp_path / "other.zip")
