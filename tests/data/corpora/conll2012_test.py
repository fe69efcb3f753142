from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.conll2012 import OntoNotes
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures" / "ontonotes"


def read(path):
    repairs = Repairs()
    corpus = OntoNotes()
    return [s for file in corpus.files(str(path)) for s in corpus.sentences(file, repairs)], repairs


def row(word, entity, columns=12):
    return (
        "  ".join(["nw/x", "0", "0", word, "NN", "*", "-", "-", "-", "-", entity] + ["*"] * (columns - 12) + ["-"])
        + "\n"
    )


def write(tmp_path, text, name="a.v4_gold_conll"):
    (tmp_path / name).write_text(text)
    return tmp_path


def test_a_folder_is_searched_for_gold_files_of_both_names_without_the_bible():
    assert [Path(file).name for file in OntoNotes().files(str(FIXTURES / "train"))] == [
        "yy_0102.gold_conll",
        "xx_0001.v4_gold_conll",
    ]


def test_words_and_entities_are_read_whatever_the_number_of_columns_and_without_an_end_of_document():
    found, repairs = read(FIXTURES / "train")
    assert [sentence.tokens for sentence in found] == [
        ("On", "Monday", "Halden", "won"),
        ("Rita", "Moss", "visits", "Lune", "."),
        ("-LRB-", "the", "Kettle", "Works", "-RRB-"),
        ("Two", "of", "them", "?"),
    ]
    assert [[(e.type, e.start, e.end) for e in sentence.entities] for sentence in found] == [
        [("DATE", 1, 2), ("ORG", 2, 3)],
        [("PERSON", 0, 2), ("GPE", 3, 4)],
        [("ORG", 1, 4)],
        [("CARDINAL", 0, 1)],
    ]
    assert not repairs.counts


def test_only_the_bible_is_an_error():
    with pytest.raises(ConfigurationError, match="/pt/"):
        OntoNotes().files(str(FIXTURES / "train/data/english/annotations/pt"))


def test_a_skeleton_is_refused_with_what_to_do(tmp_path):
    write(tmp_path, row("[WORD]", "*"), "a.v4_gold_skel")
    for path in (tmp_path, tmp_path / "a.v4_gold_skel"):
        with pytest.raises(ConfigurationError, match="a.v4_gold_skel:1 contains no words.*skeleton2conll"):
            read(path)
    with pytest.raises(ConfigurationError, match="a.v4_gold_conll:1 contains no words"):
        read(write(tmp_path, row("[WORD]", "*")))


def test_brackets_without_their_other_half_are_repaired_and_counted(tmp_path):
    found, repairs = read(write(tmp_path, row("a", "*)") + row("b", "(ORG*") + row("c", "*")))
    assert found[0].entities == (Entity.of("ORG", 1, 3),)
    assert repairs.counts == {
        "closing bracket without an opening one": 1,
        "entity closed at the end of the sentence": 1,
    }


def test_nested_brackets_are_read(tmp_path):
    found, _ = read(write(tmp_path, row("a", "(ORG(GPE)") + row("b", "*)")))
    assert found[0].entities == (Entity.of("GPE", 0, 1), Entity.of("ORG", 0, 2))


def test_a_no_break_space_is_part_of_a_word(tmp_path):
    assert read(write(tmp_path, row("5\u00a0000", "*")))[0][0].tokens == ("5\u00a0000",)


def test_a_cell_that_is_not_a_bracket_is_refused_with_file_and_line(tmp_path):
    with pytest.raises(ConfigurationError, match="a.v4_gold_conll:2 has 'PERSON' in column 11"):
        read(write(tmp_path, row("a", "*") + row("b", "PERSON")))


def test_too_few_columns_are_refused_with_file_and_line(tmp_path):
    with pytest.raises(ConfigurationError, match=r"a.v4_gold_conll:1 has 3 column\(s\), but at least 11 are expected"):
        read(write(tmp_path, "a b c\n"))
