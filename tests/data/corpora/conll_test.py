from pathlib import Path

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.conll import Conll
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures"


def read(file, **options):
    repairs = Repairs()
    return list(Conll.from_params(Params(options)).sentences(str(FIXTURES / file), repairs)), repairs


def spans(sentence):
    return [(" ".join(sentence.tokens[e.start : e.end]), e.type) for e in sentence.entities]


def test_conll2002_spanish_has_one_stray_tag():
    found, repairs = read("conll2002/esp.train")
    assert [len(sentence.tokens) for sentence in found] == [8, 8, 6, 1]
    assert spans(found[1]) == [("Inés Robledo", "PER"), ("Teatro Lírico", "LOC")]
    assert spans(found[2]) == [("Liga del Río", "ORG")]
    assert repairs.counts == {"tag that does not follow the BIO scheme": 1}


def test_conll2002_dutch_documents_begin_attached_to_their_first_sentence():
    found, repairs = read("conll2002/ned.train")
    assert [sentence.tokens[0] for sentence in found] == ["De", "Mies", "Radio"]
    assert spans(found[2]) == [("Radio Duin", "ORG"), ("Mies", "PER")]
    assert not repairs.counts


@pytest.mark.parametrize("options", [{}, {"encoding": "latin-1"}])
def test_latin1_with_carriage_returns_is_read_with_and_without_being_configured(options):
    found, _ = read("conll2002/latin1/esp.train", **options)
    assert spans(found[0]) == [("Inés", "PER"), ("Cañada", "LOC")]
    assert found[1].tokens[1] == "señor"


def test_conll2003_has_four_columns_and_iob1_tags():
    found, repairs = read("conll2003/eng.train")
    assert len(found) == 5
    assert spans(found[0]) == [("Halden", "ORG"), ("Swiss", "MISC")]
    assert spans(found[1]) == [("Rita Moss", "PER")]
    assert spans(found[3]) == [("Rowan", "LOC"), ("Vale", "LOC"), ("Lune", "LOC")]
    assert not repairs.counts


def test_resume_is_bmes():
    found, repairs = read("resume/train.char.bmes")
    assert spans(found[0]) == [("何 小 满", "NAME"), ("中 国 籍", "CONT")]
    assert spans(found[2]) == [("林", "NAME"), ("云 山 厂", "ORG")]
    assert not repairs.counts


def test_weibo_tokens_lose_their_segmentation_digit():
    found, repairs = read("weibo/weiboNER.train", segmentation_digits=True)
    assert "".join(found[0].tokens) == "云山的小孩8岁"
    assert spans(found[0]) == [("云 山", "GPE.NAM"), ("小 孩", "PER.NOM")]
    assert not repairs.counts


def test_a_token_without_a_segmentation_digit_stays_whole_and_is_counted(tmp_path):
    (tmp_path / "corpus").write_text("云0\tO\n山\tO\n0\tO\n")
    found, repairs = read(tmp_path / "corpus", segmentation_digits=True)
    assert found[0].tokens == ("云", "山", "0")
    assert repairs.counts == {"token without a segmentation digit kept whole": 2}


@pytest.mark.parametrize(
    "options",
    [
        {"token_column": 2, "tag_column": 0},
        {"token_column": -1, "tag_column": -3},
        {"columns": ["tag", "number", "word"], "token_column": "word", "tag_column": "tag"},
    ],
)
def test_columns_are_given_by_number_or_name(tmp_path, options):
    (tmp_path / "corpus").write_text("B-PER\t1\tAda\nO\t2\tleft\n")
    found, _ = read(tmp_path / "corpus", **options)
    assert found[0].tokens == ("Ada", "left")
    assert found[0].entities == (Entity.of("PER", 0, 1),)


def test_an_unknown_column_name_is_refused():
    with pytest.raises(ConfigurationError, match="no column 'word'.*form, tag"):
        Conll(columns=["form", "tag"], token_column="word")
    with pytest.raises(ConfigurationError, match="`columns` is not set"):
        Conll(tag_column="tag")


def test_a_column_beyond_the_row_is_refused_with_file_and_line(tmp_path):
    (tmp_path / "corpus").write_text("Ada B-PER\n")
    with pytest.raises(ConfigurationError, match=r"corpus:1 has 2 column\(s\), but at least 5 are expected"):
        read(tmp_path / "corpus", tag_column=4)


def test_a_misspelt_option_is_refused():
    with pytest.raises(ConfigurationError, match="tag_colum"):
        Conll.from_params(Params({"tag_colum": 1}))


@pytest.mark.parametrize("rows", ["1\tAda\tB-PER\n2\tcame\tO\n", "0 Ada NN B-PER\n1 came VB O\n"])
def test_row_numbers_in_the_first_column_are_not_tokens(tmp_path, rows):
    (tmp_path / "a").write_text(rows + "\n" + rows)
    repairs = Repairs()
    found = list(Conll().sentences(str(tmp_path / "a"), repairs))
    assert [sentence.tokens[0] for sentence in found] == ["Ada", "Ada"] and len(found[0].entities) == 1
    assert repairs.counts == {"first column contains row numbers; tokens read from the second": 1}


@pytest.mark.parametrize("rows", ["1\tO\n2\tO\n", "1 CD O\n3 CD O\n", "1 Ada\n2 moved\n", "1 CD O\n"])
def test_numbers_that_are_tokens_stay_tokens(tmp_path, rows):
    (tmp_path / "a").write_text(rows)
    corpus = Conll(scheme="IO")
    assert [sentence.tokens[0] for sentence in corpus.sentences(str(tmp_path / "a"), Repairs())] == ["1"]
