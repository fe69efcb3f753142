from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk.parts import Parts


def test_parts_that_are_there_are_known_after_a_restart(tmp_path: Path) -> None:
    output = str(tmp_path / "out.jsonl")
    first = Parts(output, {"model": 1})
    assert first.begin() == set()
    first.write(2, [b"c\n"])
    first.write(0, [b"a\n", b"b\n"])
    (first.folder / "000000001.jsonl.unfinished").write_bytes(b"half a li")
    first._lock.close()  # type: ignore[union-attr]
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
    with pytest.raises(ConfigurationError, match="something else"):
        Parts(str(output), {"model": 2}).is_complete()
    Parts(str(output), {"model": 2}).discard()
    assert list(tmp_path.iterdir()) == []


def test_parts_of_another_run_are_not_continued(tmp_path: Path) -> None:
    first = Parts(str(tmp_path / "out"), {"model": 1})
    first.begin()
    first._lock.close()  # type: ignore[union-attr]
    with pytest.raises(ConfigurationError, match="another run"):
        Parts(str(tmp_path / "out"), {"model": 2}).begin()


def test_two_processes_do_not_write_one_output(tmp_path: Path) -> None:
    first, second = (Parts(str(tmp_path / "out"), {}) for _ in range(2))
    first.begin()
    with pytest.raises(ConfigurationError, match="Another process"):
        second.begin()
