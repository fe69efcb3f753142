from pathlib import Path

import pytest

from ner_zoo.platform.atomic_files import replacing, write_atomically


@pytest.mark.parametrize("is_durable", [True, False])
def test_a_file_stays_as_it_was_until_the_new_one_is_whole(tmp_path: Path, is_durable: bool) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    with pytest.raises(OSError, match="disk full"), replacing(path, is_durable) as new:
        new.write_bytes(b"half")
        raise OSError("disk full")
    assert path.read_bytes() == b"before"
    with replacing(path, is_durable) as new:
        new.write_bytes(b"after")
        assert path.read_bytes() == b"before"
    assert path.read_bytes() == b"after" and list(tmp_path.iterdir()) == [path]


def test_text_and_bytes_are_written_into_folders_that_are_made(tmp_path: Path) -> None:
    write_atomically(tmp_path / "b/c/text", "é\n")
    write_atomically(tmp_path / "b/bytes", b"\x00")
    assert (tmp_path / "b/c/text").read_bytes() == b"\xc3\xa9\n" and (tmp_path / "b/bytes").read_bytes() == b"\x00"
