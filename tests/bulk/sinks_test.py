import gzip
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk.sinks import check_ending, write

ENTITY = {"type": "PER", "text": "Ione", "fragments": [[0, 4]], "start": 0, "end": 4, "score": 0.5}
FOUND: dict[str, Any] = {
    "text": "Ione",
    "tokens": [{"text": "Ione", "start": 0, "end": 4}],
    "sentences": [[0, 4]],
    "entities": [ENTITY],
    "relations": [],
}
ERROR = {"error": "It is\nno use.", "line": 2}


def written(path: Path, records: list[dict[str, Any]], table: Any = None) -> Path:
    def rows() -> Iterator[bytes]:
        return iter([json.dumps(record).encode() + b"\n" for record in records])

    return write(str(path), rows, table).rename(path)


def test_lines_are_written_plain_and_gzip(tmp_path: Path) -> None:
    plain = written(tmp_path / "a.jsonl", [FOUND, ERROR]).read_bytes()
    assert [json.loads(line) for line in plain.splitlines()] == [FOUND, ERROR]
    assert gzip.decompress(written(tmp_path / "a.jsonl.gz", [FOUND, ERROR]).read_bytes()) == plain


def test_columns_have_a_line_before_each_text_and_one_for_an_error(tmp_path: Path) -> None:
    text = written(tmp_path / "a.conll", [FOUND, ERROR]).read_text()
    assert text == "-DOCSTART-\tO\n\nIone\tB-PER\n\n-DOCSTART-\tO\n\n# line 2: It is no use.\n\n"


def test_a_table_of_lines_has_a_column_for_each_field(tmp_path: Path) -> None:
    records = [{"id": 1, "mixed": 1, **FOUND}, {"id": 2.5, "mixed": {"a": [1]}, "tokens": 5, **ERROR}]
    read = pq.read_table(written(tmp_path / "a.parquet", records)).to_pylist()
    assert [(row["id"], row["mixed"]) for row in read] == [(1.0, "1"), (2.5, '{"a": [1]}')]
    assert {**read[0]["entities"][0]} == ENTITY
    assert read[1]["error"] == ERROR["error"] and read[1]["line"] == 2 and read[1]["tokens"] is None


def test_a_table_of_a_table_keeps_its_columns_untouched(tmp_path: Path) -> None:
    when = pa.array([datetime(2001, 2, 3), None], pa.timestamp("us"))
    table = pa.table(
        {"when": when, "raw": pa.array([b"\x00\xff", b""]), "text": ["Ione", None], "entities": ["old", "old"]}
    )
    pq.write_table(table, tmp_path / "in.parquet")
    read = pq.read_table(written(tmp_path / "a.parquet", [FOUND, ERROR], str(tmp_path / "in.parquet")))
    assert read["when"].combine_chunks().equals(when) and read["raw"].to_pylist() == [b"\x00\xff", b""]
    assert read["entities"].to_pylist() == [[ENTITY], None] and read["error"].to_pylist() == [None, ERROR["error"]]


def test_an_unknown_file_extension_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"\.parquet"):
        check_ending("out.csv")
