from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Relation
from ner_zoo.data.corpora.conll04 import Conll04
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures" / "conll04"


def read(file):
    repairs = Repairs()
    return list(Conll04().sentences(str(file), repairs)), repairs


def write(tmp_path, *rows):
    (tmp_path / "corpus").write_text("#doc 1\n" + "".join("\t".join(row.split("|")) + "\n" for row in rows))
    return tmp_path / "corpus"


def test_sentences_are_separated_by_doc_rows_alone():
    found, _ = read(FIXTURES / "train.txt")
    assert [len(sentence.tokens) for sentence in found] == [10, 9, 9, 5, 4]
    assert found[3].tokens[0] == "#doc"


def test_a_relation_goes_from_the_entity_that_ends_on_its_row_to_the_one_that_ends_at_its_number():
    found, _ = read(FIXTURES / "train.txt")
    moss, halden, kettle = Entity.of("Peop", 0, 2), Entity.of("Loc", 5, 6), Entity.of("Org", 8, 9)
    assert found[0].entities == (moss, halden, kettle)
    assert found[0].relations == (
        Relation("Live_In", moss, halden),
        Relation("Work_For", moss, kettle),
        Relation("OrgBased_In", kettle, halden),
    )


def test_inside_tags_without_a_beginning_are_not_an_entity_but_keep_their_relation():
    found, repairs = read(FIXTURES / "train.txt")
    harrow, vale = Entity.of("Loc", 3, 5), Entity.of("Loc", 7, 8)
    assert vale not in found[1].entities
    assert Relation("Located_In", vale, harrow) in found[1].relations
    assert repairs.counts["I- tags without a B- ignored"] == 1


def test_a_relation_of_a_token_that_is_not_an_entity_is_left_out_and_counted(tmp_path):
    found, repairs = read(write(tmp_path, "0|Ada|B-Peop|['Live_In']|[1]", "1|left|O|['N']|[1]"))
    assert found[0].relations == ()
    assert repairs.counts == {"relation with an argument that is not an entity left out": 1}


def test_a_relation_into_the_middle_of_an_entity_is_kept_and_counted(tmp_path):
    file = write(tmp_path, "0|Ada|B-Peop|['Live_In']|[1]", "1|New|B-Loc|['N']|[1]", "2|Lune|I-Loc|['N']|[2]")
    found, repairs = read(file)
    assert found[0].relations == (Relation("Live_In", Entity.of("Peop", 0, 1), Entity.of("Loc", 1, 3)),)
    assert repairs.counts == {"relation that does not point at the last token of an entity": 1}


@pytest.mark.parametrize(
    "cells",
    [
        "['Live_In'|[0]",
        "['Live_In']|[0, 1]",
        "[3]|[0]",
        "['Live_In']|['0']",
        "7|[0]",
        "exit()|[0]",
        "['a']|" + "[" * 500,
    ],
)
def test_a_value_that_is_not_a_list_is_refused_with_file_and_line(tmp_path, cells):
    with pytest.raises(ConfigurationError, match="corpus:2 has"):
        read(write(tmp_path, f"0|Ada|B-Peop|{cells}"))


def test_a_row_with_too_few_columns_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match=r"corpus:2 has 3 column\(s\), but at least 5 are expected"):
        read(write(tmp_path, "0|Ada|B-Peop"))


def test_a_row_without_a_token_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="corpus:2 has no token"):
        read(write(tmp_path, "0||B-Peop|['N']|[0]"))
