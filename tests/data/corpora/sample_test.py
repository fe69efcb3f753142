import gzip
import json

import pytest

from ner_zoo.data.corpora import sample
from ner_zoo.data.corpora.sample import Sample

RECORDS = [
    '{"a": 1}\n{"a": 2}\n',
    '[{"a": 1},\n {"a": 2}]',
    '[\n {\n "a": 1\n },\n {"a": 2}\n]\n',
    '\ufeff{"a": 1}\n\n{"a": 2}',
]


@pytest.mark.parametrize("text", RECORDS)
def test_records_of_lines_and_of_a_list(tmp_path, text):
    (tmp_path / "a").write_bytes(gzip.compress(text.encode()))
    assert Sample.of(str(tmp_path / "a")).records == [{"a": 1}, {"a": 2}]


def test_a_large_file_is_looked_at_from_its_beginning_only(tmp_path, monkeypatch):
    monkeypatch.setattr(sample, "BYTES", 100)
    (tmp_path / "a").write_text(json.dumps([{"text": "x" * 30}] * 9))
    found = Sample.of(str(tmp_path / "a"))
    assert found.records == [{"text": "x" * 30}] * 2 and not found.is_whole
    (tmp_path / "a").write_text("Ada\tO\n" * 50)
    assert set(Sample.of(str(tmp_path / "a")).rows) == {"Ada\tO"}


def test_the_contents_are_described():
    assert Sample("a", b'{"b": 1, "a": 2}', True).shown() == "its records have the fields a, b"
    assert Sample("a", b"\n1 Ada O\n", True).shown() == "its first row has 3 columns: '1 Ada O'"
    assert Sample("a", b"", True).shown() == "it has no row"
    assert Sample("a", b"\xff\xfe\x00\x81\x9c" * 9, True).shown()
    assert Sample("a", b"\x89PNG\r\n\x1a\n\xff", True).shown() == "it is a picture"
