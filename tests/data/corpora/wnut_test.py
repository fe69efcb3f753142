from pathlib import Path

from ner_zoo.data.corpora.wnut import Wnut
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures"


def read(file):
    repairs = Repairs()
    found = list(Wnut().sentences(str(FIXTURES / file), repairs))
    assert not repairs.counts
    return found


def types(sentences):
    return {entity.type for sentence in sentences for entity in sentence.entities}


def test_a_line_with_a_single_tab_ends_a_sentence():
    assert [len(sentence.tokens) for sentence in read("wnut17/wnut17train.conll")] == [6, 8, 8, 7, 6]


def test_rows_that_begin_with_a_hash_are_tokens():
    found = read("wnut17/wnut17train.conll")
    assert [found[1].tokens[0], found[2].tokens[-1], found[4].tokens[0]] == ["#mondays", "#tonight", "#"]


def test_types_keep_their_hyphens():
    assert "creative-work" in types(read("wnut17/wnut17train.conll"))
    assert "geo-loc" in types(read("wnut16/train"))


def test_invisible_characters_and_quotes_are_tokens():
    found = read("wnut17/emerging.dev.conll")
    assert [found[0].tokens[0], found[1].tokens[0], found[2].tokens[0]] == ["\u200b", "\ufeff", '"Quoted']


def test_a_directory_is_read_through_its_data_files(tmp_path):
    for name in ("train", "dev", "README.md", "wnut17train.conll.gz"):
        (tmp_path / name).write_text("")
    assert Wnut().files(str(tmp_path)) == [str(tmp_path / name) for name in ("dev", "train", "wnut17train.conll.gz")]
