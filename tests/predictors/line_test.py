import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ner_zoo.predictors.line import BadLine, read_line, read_lines, write_line


def test_an_object_is_read_as_json_and_anything_else_as_text() -> None:
    assert read_line(b'{"text": "a", "id": 3}\n', 1) == {"text": "a", "id": 3}
    assert read_line(b"42\n", 1) == {"text": "42"}
    assert read_line(b'["a"]\r\n', 1) == {"text": '["a"]'}
    assert read_line(b"\n", 1) == {"text": ""}
    assert read_line(b'"Hello": he said\n', 1) == {"text": '"Hello": he said'}


@pytest.mark.parametrize(
    "raw",
    [b"{oops", b'"text": "the brace is missing"}', b"\xff\xfe", b'{"a":' * 100000, b'{"a": ' + b"1" * 5000 + b"}"],
)
def test_a_bad_line_says_what_is_wrong_and_has_its_number(raw: bytes) -> None:
    line = read_line(raw, 7)
    assert isinstance(line, BadLine) and line["error"] and line.line == 7


def test_every_line_counts_and_only_a_line_feed_ends_one() -> None:
    content = "\ufeffone\n\ntwo\u2028still two\x0bstill\n{\nlast".encode()
    lines = list(read_lines(io.BytesIO(content)))
    assert [line.get("text") for line in lines] == ["one", "", "two\u2028still two\x0bstill", None, "last"]
    assert [line.line for line in lines] == [1, 2, 3, 4, 5]


@given(st.text())
def test_whatever_is_written_can_be_stored_and_read_again(text: str) -> None:
    line = write_line({"text": text})
    assert json.loads(line.encode("utf-8")) == {"text": text}


def test_an_unpaired_surrogate_survives() -> None:
    assert json.loads(write_line({"text": "a\ud800b"}).encode("utf-8")) == {"text": "a\ud800b"}
