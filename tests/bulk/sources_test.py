import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk.sources import RemainingChunks, source_of


def rows(path: Path, size: int = 2) -> list[bytes]:
    return [row for chunk in source_of(str(path), size, to_parquet=False).chunks() for row in chunk.rows]


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl.gz", "anything"])
def test_lines_are_read_plain_or_gzip_whatever_the_name(tmp_path: Path, name: str) -> None:
    content = '\ufeff{"text": "a"}\n\nb\u2028c\nlast'.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert rows(tmp_path / name) == [b'{"text": "a"}\n', b"\n", "b\u2028c\n".encode(), b"last"]


def test_a_table_is_read_with_its_columns(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1, 2, 3], "text": ["a", None, "é"]}), tmp_path / "a.parquet")
    read = [json.loads(row) for row in rows(tmp_path / "a.parquet")]
    assert read == [{"id": 1, "text": "a"}, {"id": 2, "text": None}, {"id": 3, "text": "é"}]


def test_chunks_have_the_same_rows_in_every_run_and_done_ones_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("".join(f"{number}\n" for number in range(7)))
    left = list(RemainingChunks(source_of(str(tmp_path / "a.txt"), 3, False), frozenset({1})))
    assert [(chunk.number, chunk.first, len(chunk.rows)) for chunk in left] == [(0, 0, 3), (2, 6, 1), (3, 7, 0)]
    assert left[-1].share == 1.0


def test_an_empty_file_has_no_chunks(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    assert [chunk.number for chunk in RemainingChunks(source_of(str(tmp_path / "a.txt"), 3, False), frozenset())] == [0]


def test_unusable_input_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no file"):
        source_of(str(tmp_path / "none"), 3, False)
    pq.write_table(pa.table({"body": ["a"]}), tmp_path / "a.parquet")
    with pytest.raises(ConfigurationError, match="body"):
        source_of(str(tmp_path / "a.parquet"), 3, False)
