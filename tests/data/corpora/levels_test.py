from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.levels import Genia
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures"


def read(file):
    repairs = Repairs()
    return list(Genia().sentences(str(file), repairs)), repairs


def test_the_entities_are_those_of_all_levels_and_a_span_may_have_two_types():
    found, repairs = read(FIXTURES / "genia/genia.dev.iob2")
    assert found[0].entities == (
        Entity.of("DNA", 1, 5),
        Entity.of("protein", 1, 4),
        Entity.of("cell_type", 6, 8),
        Entity.of("cell_line", 6, 8),
    )
    assert set(found[1].entities) == {Entity.of("RNA", 0, 2), Entity.of("protein", 0, 1)}
    assert not repairs.counts


def test_an_entity_that_two_levels_repeat_is_one_and_is_counted(tmp_path):
    (tmp_path / "corpus").write_text("a\tO\tO\nAda\tB-PER\tB-PER\n")
    found, repairs = read(tmp_path / "corpus")
    assert found[0].entities == (Entity.of("PER", 1, 2),)
    assert repairs.where == {"entity repeated on another level": [f"{tmp_path}/corpus:2"]}


def test_rows_that_lack_a_level_are_outside_there(tmp_path):
    (tmp_path / "corpus").write_text("Ada\tB-PER\tB-ORG\nQuill\tI-PER\n")
    found, repairs = read(tmp_path / "corpus")
    assert set(found[0].entities) == {Entity.of("PER", 0, 2), Entity.of("ORG", 0, 1)}
    assert repairs.where == {"row with fewer levels than its sentence": [f"{tmp_path}/corpus:2"]}


def test_a_row_with_too_many_levels_is_refused(tmp_path):
    (tmp_path / "corpus").write_text("Ada\tO\nQuill" + "\tO" * 65 + "\n")
    with pytest.raises(ConfigurationError, match="corpus:2 has 65 columns after the token"):
        read(tmp_path / "corpus")


def test_a_row_without_any_level_is_refused(tmp_path):
    (tmp_path / "corpus").write_text("Ada\tB-PER\nQuill\n")
    with pytest.raises(ConfigurationError, match=r"corpus:2 has 1 column\(s\)"):
        read(tmp_path / "corpus")
