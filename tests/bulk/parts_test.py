from collections.abc import Callable
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk.parts import Parts


def test_existing_parts_are_found_after_a_restart(tmp_path: Path) -> None:
    output = str(tmp_path / "out.jsonl")
    first = Parts(output, {"model": 1})
    assert first.begin() == set()
    first.write(2, [b"c\n"])
    first.write(0, [b"a\n", b"b\n"])
    (first.folder / "000000001.jsonl.unfinished").write_bytes(b"half a li")
    second = Parts(output, {"model": 1})
    assert second.begin() == {0, 2} and not list(second.folder.glob("*.unfinished"))
    second.write(1, [b"x\n"])
    assert b"".join(second.lines(3)) == b"a\nb\nx\nc\n"


def test_a_finished_output_is_recognised_and_anothers_is_not_touched(tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    parts = Parts(str(output), {"model": 1})
    parts.begin()
    new = tmp_path / "out.jsonl.new"
    new.write_bytes(b"done\n")
    parts.finish(new, {"rows": 1})
    assert output.read_bytes() == b"done\n" and not parts.folder.exists()
    assert Parts(str(output), {"model": 1}).is_complete()
    with pytest.raises(ConfigurationError, match="differs from what this command would write: model"):
        Parts(str(output), {"model": 2}).is_complete()
    Parts(str(output), {"model": 2}).discard()
    assert list(tmp_path.iterdir()) == []


def test_parts_of_another_run_are_not_continued(tmp_path: Path) -> None:
    first = Parts(str(tmp_path / "out"), {"model": 1})
    first.begin()
    with pytest.raises(ConfigurationError, match="another run"):
        Parts(str(tmp_path / "out"), {"model": 2}).begin()


def written_parts(folder: Path) -> Parts:
    parts = Parts(str(folder / "out"), {"model": 1})
    parts.begin()
    parts.write(0, [b"a\n", b"b\n"])
    parts.write(1, [b"c\n"])
    return parts


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda content: content[:-1],
    "a row less": lambda content: content[: content.rindex(b"b\n")],
    "empty": lambda content: b"",
    "a row changed": lambda content: content.replace(b"a\n", b"x\n"),
    "a row more": lambda content: content + b"d\n",
    "no head": lambda content: b"a\nb\n",
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_part_is_neither_continued_nor_joined(tmp_path: Path, name: str) -> None:
    parts = written_parts(tmp_path)
    path = parts.path(0)
    path.write_bytes(DAMAGES[name](path.read_bytes()))
    for use in (parts.begin, lambda: parts.check(2, 3), lambda: list(parts.lines(2))):
        with pytest.raises(ConfigurationError, match="000000000.jsonl is damaged.*Remove that file"):
            use()
    path.unlink()
    assert parts.begin() == {1}


def test_parts_that_do_not_fit_the_input_are_not_joined(tmp_path: Path) -> None:
    parts = written_parts(tmp_path)
    parts.check(2, 3)
    with pytest.raises(ConfigurationError, match="have 3 rows, but the input has 4"):
        parts.check(2, 4)
    with pytest.raises(ConfigurationError, match="000000001.jsonl contains rows that the input does not have"):
        parts.check(1, 2)
    parts.path(0).unlink()
    with pytest.raises(ConfigurationError, match="000000000.jsonl is missing"):
        parts.check(2, 3)


def test_a_folder_without_its_manifest_or_with_other_files_is_refused(tmp_path: Path) -> None:
    parts = written_parts(tmp_path)
    (parts.folder / "notes.jsonl").write_text("")
    with pytest.raises(ConfigurationError, match="notes.jsonl is not a part"):
        parts.begin()
    (parts.folder / "notes.jsonl").unlink()
    (parts.folder / "manifest.json").write_text("{")
    with pytest.raises(ConfigurationError, match="differs in: model.*--overwrite"):
        parts.begin()


def test_an_output_that_was_changed_is_not_taken_for_complete(tmp_path: Path) -> None:
    parts = written_parts(tmp_path)
    (tmp_path / "new").write_bytes(b"a\nb\nc\n")
    parts.finish(tmp_path / "new", {})
    assert parts.is_complete()
    (tmp_path / "out").write_bytes(b"a\nb\n")
    with pytest.raises(ConfigurationError, match="the size of the output"):
        parts.is_complete()
