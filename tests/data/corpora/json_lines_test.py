import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.json_lines import get, integers, objects
from ner_zoo.data.repairs import Repairs


def read(tmp_path, text):
    path = tmp_path / "file.json"
    path.write_text(text)
    repairs = Repairs()
    return [(source.rpartition(":")[2], record) for source, record in objects(str(path), repairs)], repairs


def test_every_object_comes_with_its_line(tmp_path):
    assert read(tmp_path, '{"a": 1}\n\n{"b": [2]}')[0] == [("1", {"a": 1}), ("3", {"b": [2]})]


def test_one_list_of_objects_is_read_too(tmp_path):
    assert read(tmp_path, '\n[{"a": 1},\n {"a": 2}]\n')[0] == [("2", {"a": 1}), ("3", {"a": 2})]
    assert read(tmp_path, '[{"a": "x\\ud83dy"}]')[0] == [("1", {"a": "x?y"})]


@pytest.mark.parametrize(
    "line", ['{"a": ', "7", '"a"', "null", "[[1]]", '{"a": ' + "[" * 100_000, '{"a": ' + "9" * 5000 + "}"]
)
def test_a_line_that_is_not_an_object_is_refused_with_its_line(tmp_path, line):
    with pytest.raises(ConfigurationError, match="file.json:2"):
        read(tmp_path, '{"a": 1}\n' + line + "\n")


def test_an_unpaired_surrogate_is_replaced(tmp_path):
    found, repairs = read(tmp_path, '{"a": "x\\ud83dy"}\n{"a": "\\ud83d\\ude00"}\n')
    assert [record["a"] for _, record in found] == ["x?y", "😀"]
    assert sum(repairs.counts.values()) == 1


def test_fields_are_of_their_kind():
    record = {"text": "a", "number": 3, "flag": True, "nothing": None, "deep": [[[]]]}
    assert get(record, "text", str, "f:1") == "a"
    assert get(record, "nothing", list, "f:1", default=[]) == []
    for name, kind in (("text", int), ("number", str), ("flag", int), ("nothing", str), ("other", str), ("deep", str)):
        with pytest.raises(ConfigurationError, match=f"f:1.*{name}"):
            get(record, name, kind, "f:1")


def test_numbers_are_counted():
    assert integers([1, 2, "PER"], "an entity", "f:1", 2) == [1, 2]
    for value in ([1], [1, "2"], [1, 2.5], None, {"a": 1}):
        with pytest.raises(ConfigurationError, match="f:1: an entity"):
            integers(value, "an entity", "f:1", 2)
