from pathlib import Path

import pytest

from ner_zoo.data.corpora.harem import Harem
from ner_zoo.data.repairs import Repairs
from tests.real_corpora import DATA

FIXTURES = Path(__file__).parents[3] / "fixtures" / "harem"


def read(path):
    repairs = Repairs()
    return list(Harem().sentences(str(path), repairs)), repairs


def read_markup(tmp_path, markup):
    path = tmp_path / "file.xml"
    path.write_text(markup)
    return read(path)


def named(sentences):
    return [(e.type, " ".join(s.tokens[e.start : e.end])) for s in sentences for e in s.entities]


def test_first_harem():
    found, repairs = read(FIXTURES / "ColeccaoDouradaHAREM.txt")
    assert named(found) == [
        ("ORGANIZACAO", "Associação Maré Alta"),
        ("TEMPO", "Junho de 1987"),
        ("PESSOA", "Abel Ramos & Filho"),
        ("ORGANIZACAO", "Oficina de Barcos"),
        ("LOCAL", "Cais Velho"),
        ("ACONTECIMENTO", "Lagos-Moinho"),
        ("PESSOA", "Moinho"),
        ("ORGANIZACAO", "Moinho"),
        ("PESSOA", "Azuis"),
    ]
    text = " ".join(token for sentence in found for token in sentence.tokens)
    assert "FEITO-001" not in text and "ganharam 2 < 3 ." in text and text.endswith("Nada aconteceu & ninguém veio .")
    assert [s.tokens[i] for s in found for i in s.unknown] == ["P-12", "Cais", "Velho", "xyz"]
    assert repairs.counts == {
        "file is not UTF-8, read as latin-1": 1,
        "first of several alternatives used (ALT)": 1,
        "entity in another alternative left out (ALT)": 2,
        "additional category of an entity read as another entity": 1,
        "text excluded from the evaluation treated as unannotated (OMITIDO)": 1,
    }


def test_second_harem():
    found, repairs = read(FIXTURES / "CDSegundoHAREM_TEMPO.xml")
    assert [len(sentence.tokens) for sentence in found] == [7, 8, 7]
    assert named(found) == [
        ("ORGANIZACAO", "Fundação Maré"),
        ("TEMPO", "em 1997"),
        ("PESSOA", "presidente da Câmara"),
        ("LOCAL", "Lagos"),
        ("ORGANIZACAO", "Lagos"),
        ("COISA", "x102"),
        ("OUTRO", "x102"),
    ]
    assert [sentence.source.rpartition(":")[2] for sentence in found] == ["6", "12", "15"]
    assert sum(repairs.counts.values()) == 5


def test_the_column_file():
    found, _ = read(FIXTURES / "corpus_miniHAREM.txt")
    assert found and all(sentence.text is None for sentence in found)


def test_tags_that_do_not_match_are_counted(tmp_path):
    found, repairs = read_markup(
        tmp_path, "<DOC><P>O <PESSOA>Abel <LOCAL>Lagos</PESSOA> </OBRA> <b>x</b> <EM ID='1'>y</EM>"
    )
    assert named(found) == [("PESSOA", "Abel Lagos")]
    assert repairs.counts == {
        "unclosed entity left out": 1,
        "closing tag without an opening one ignored": 1,
        "unknown tag kept as text": 2,
        "entity without a category left out": 1,
    }


@pytest.mark.parametrize("unit", ["<P>", "<ALT>", "</ALT>", "<LOCAL>", "<", "<a ", "<ALT>a|", "<LOCAL>x</LOCAL>"])
def test_no_markup_takes_quadratic_time(tmp_path, unit):
    found, _ = read_markup(tmp_path, "<DOC>x " + unit * 20_000 + "</OMITIDO>" * 20_000)
    assert found


@pytest.mark.skipif(not (DATA / "harem").is_dir(), reason="HAREM is not among the corpora at hand")
@pytest.mark.parametrize(
    "file, tag, count", [("ColeccaoDouradaHAREM.txt", "TIPO=", 5132), ("CDSegundoHAREM_TEMPO.xml", "<EM ", 1510)]
)
def test_every_tag_of_harem_is_read_or_counted(file, tag, count):
    found, repairs = read(DATA / "harem" / file)
    assert (DATA / "harem" / file).read_text("latin-1").count(tag) == count
    further = repairs.counts["additional category of an entity read as another entity"]
    other_readings = repairs.counts["entity in another alternative left out (ALT)"]
    assert sum(len(sentence.entities) for sentence in found) - further + other_readings == count
    for sentence in found:
        assert all(sentence.text[s:e] == token for token, (s, e) in zip(sentence.tokens, sentence.offsets))
