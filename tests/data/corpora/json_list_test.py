"""One JSON list is read element by element, as `json.loads` would read it."""

import json
import re

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given, settings
from hypothesis import strategies as st

from ner_zoo.data.corpora import json_list, text_file
from ner_zoo.data.corpora.json_list import elements, is_list
from ner_zoo.data.repairs import Repairs

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
# Top-level numbers would be split at the end of a chunk: elements are objects.
objects = st.dictionaries(st.text(max_size=4), values, max_size=4)


@settings(max_examples=200, deadline=None)
@given(
    given=st.lists(objects, max_size=6), indent=st.sampled_from([None, 0, 3]), size=st.integers(1, 40), data=st.data()
)
def test_elements_are_those_of_json(tmp_path_factory, given, indent, size, data):
    file = tmp_path_factory.mktemp("list") / "file.json"
    is_ascii = data.draw(st.booleans())
    text = json.dumps(given, indent=indent, ensure_ascii=is_ascii)
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_file, "CHUNK", size)
        found = list(elements(str(file), "utf-8", Repairs()))
    assert is_list(str(file))
    assert [element.value for element in found] == json.loads(text)
    assert [json.loads(element.text) for element in found] == json.loads(text)
    if indent is None:
        assert {element.line for element in found} <= {1}


def refusal(tmp_path, text):
    (tmp_path / "file.json").write_text(text)
    with pytest.raises(ConfigurationError) as error:
        list(elements(str(tmp_path / "file.json"), None, Repairs()))
    return re.fullmatch(r".*file.json:(\d+) is not JSON \((.*?)\)\. .*", str(error.value)).groups()


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('[{"a": 1},\n{"a": ', "2", "Expecting value"),
        ('[{"a": 1},\n{"a": "b', "2", "Unterminated string starting at"),
        ('[{"a": 1},\n\n', "3", "Expecting value"),
        ('[{"a": 1}\n', "2", "it ends inside the list"),
        ('[{"a": 1}\n{"a": 2}]', "2", "expected ,, found '{'"),
        ('[{"a": 1}]\n{"a": 2}', "2", "there is text after the end of the list"),
        ('[{"a":\n1,\n2}]', "3", "Expecting property name enclosed in double quotes"),
        ("[" * 100_000, "1", "lists or objects are nested too deeply"),
        ("[{},]", "1", "Expecting value"),
    ],
)
def test_errors_are_reported_with_their_line(tmp_path, text, line, reason):
    assert refusal(tmp_path, text) == (line, reason)


def test_a_large_element_is_not_tried_over_and_over(tmp_path, monkeypatch):
    tried = []
    plain = json.JSONDecoder().raw_decode
    monkeypatch.setattr(
        json_list.json.JSONDecoder, "raw_decode", lambda self, text, place: (tried.append(1), plain(text, place))[1]
    )
    (tmp_path / "file.json").write_text(json.dumps([{"text": "word " * 400_000}, {"text": "b"}]))
    assert [len(one.value["text"]) for one in elements(str(tmp_path / "file.json"), None, Repairs())] == [2_000_000, 1]
    assert len(tried) <= 10


def test_a_list_is_read_as_it_is_asked_for(tmp_path, monkeypatch):
    (tmp_path / "file.json").write_text(json.dumps([{"text": "word " * 100}] * 2000))
    seen = []
    monkeypatch.setattr(json_list, "chunks", lambda handle, file: _counted(handle, seen))
    next(elements(str(tmp_path / "file.json"), None, Repairs()))
    assert len(seen) == 1


def _counted(handle, seen):
    while chunk := handle.read(4096):
        seen.append(len(chunk))
        yield chunk
