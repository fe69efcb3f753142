from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.csv import Csv
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures" / "csv"
ENTITIES = [(Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5)), ()]


def read(path, corpus=None):
    return list((corpus or Csv()).sentences(str(path), Repairs()))


def written(tmp_path, text):
    (tmp_path / "a.csv").write_text(text)
    return tmp_path / "a.csv"


def test_a_row_per_word_with_the_sentence_named_once():
    found = read(FIXTURES / "words.csv")
    assert [sentence.entities for sentence in found] == ENTITIES
    assert found[0].tokens[4] == "Lune, Ost" and found[1].tokens == ("Nobody", "came", '"')


def test_a_row_per_entity():
    found = read(FIXTURES / "entities.csv")
    assert [sentence.entities for sentence in found] == ENTITIES


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_detected_and_empty_rows_end_sentences(tmp_path, delimiter):
    rows = [("Token", "NER"), ("Ada", "B-PER"), ("", ""), ("Lune", "B-LOC"), (), ("x", "O")]
    found = read(written(tmp_path, "".join(delimiter.join(row) + "\n" for row in rows)))
    assert [sentence.tokens for sentence in found] == [("Ada",), ("Lune",), ("x",)]


def test_columns_may_have_other_names(tmp_path):
    file = written(tmp_path, "Wort,Etikett\nAda,B-PER\n")
    with pytest.raises(ConfigurationError, match="a.csv:1.*Wort,Etikett"):
        read(file)
    [sentence] = read(file, Csv(columns={"word": "Wort", "tag": "Etikett"}))
    assert sentence.entities == (Entity.of("PER", 0, 1),)
    with pytest.raises(ConfigurationError, match="unknown name 'Wort'"):
        Csv(columns={"Wort": "word"})


def test_texts_that_repeat_may_be_distinguished_by_id(tmp_path):
    rows = "id,text,start,end,label\n1,Ada,0,3,PER\n2,Bo,0,2,PER\n3,Ada,,,\n"
    assert [len(s.entities) for s in read(written(tmp_path, rows))] == [1, 1, 0]


@pytest.mark.parametrize(
    "text, line, said",
    [
        ("", 1, "header"),
        ("a,b\n1,2\n", 1, "header"),
        ("word,tag\nAda\n", 2, "1 columns"),
        ("word,tag\nAda,PERSON\nx,THING\n", 2, "tag"),
        ('word,tag\nAda,B-PER\n"x"y,O\n', 3, "quotes"),
        ('word,tag\nAda,B-PER\n"x,O\n', 3, "quotes"),
        ("text,start,end,type\nAda,0,4,PER\n", 2, "0 to 4"),
        ("text,start,end,type\nAda,zero,3,PER\n", 2, "zero"),
        ("text,start,end,type\nAda,0,3,\n", 2, "without a type"),
        ("text,start,end,type\nAda,0,3,PER\nBo,0,2,PER\nAda,0,1,X\n", 4, "Sort"),
    ],
)
def test_errors_are_reported_with_file_and_line(tmp_path, text, line, said):
    with pytest.raises(ConfigurationError, match=f"a.csv:{line}") as error:
        read(written(tmp_path, text))
    assert said in str(error.value)
