from pathlib import Path

import pytest

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.germeval14 import Germeval14, is_numbered
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures" / "germeval14"


def read(file):
    repairs = Repairs()
    found = list(Germeval14().sentences(str(file), repairs))
    assert not repairs.counts
    return found


def test_both_kinds_of_file_hold_the_same_sentences():
    tsv, iob2 = read(FIXTURES / "NER-de-dev.tsv"), read(FIXTURES / "germ.dev.iob2")
    assert [(s.tokens, s.entities) for s in tsv] == [(s.tokens, s.entities) for s in iob2]
    assert len(tsv) == 3


def test_inner_and_outer_entities_are_read():
    assert read(FIXTURES / "germ.dev.iob2")[0].entities == (Entity.of("ORG", 1, 3), Entity.of("LOC", 2, 3))


def test_a_hash_is_a_token_in_both_kinds():
    assert read(FIXTURES / "NER-de-dev.tsv")[1].tokens[6] == "#"
    assert read(FIXTURES / "germ.train.iob2")[3].tokens == ("#", "gruen")


@pytest.mark.parametrize(
    "row", ["#\thttp://a.invalid/1\t[2001-01-01]\t", "#\thttp://a.invalid/1", "1\tDie\tO\tO", "1\tO\tO\tO"]
)
def test_the_original_form_is_recognised_by_its_first_row(row):
    assert is_numbered(row)


@pytest.mark.parametrize("row", ["#\tO\tO", "Die\tO\tO", "1\tO\tO", "1\tB-OTH\tO", "1\tO\tO\t"])
def test_the_form_without_numbers_is_recognised_by_its_first_row(row):
    assert not is_numbered(row)


def test_an_empty_file_has_no_sentences(tmp_path):
    (tmp_path / "empty").write_text("")
    repairs = Repairs()
    assert list(Germeval14().sentences(str(tmp_path / "empty"), repairs)) == []
    assert repairs.counts == {"file without a sentence": 1}
