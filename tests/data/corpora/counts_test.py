import pytest

from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.counts import PUBLISHED, Counts, published_counts
from ner_zoo.data.corpora.statistics import Statistics
from ner_zoo.data.repairs import Repairs
from tests.real_corpora import DATA

# Reader, file in the folder of corpora, sentences, tokens, entities, relations.
TABLE = [
    ("wnut", "wnut17/wnut17train.conll", 3394, 62730, 1975, 0),
    ("wnut", "wnut17/emerging.dev.conll", 1009, 15733, 836, 0),
    ("wnut", "wnut16/train", 2394, 46469, 1496, 0),
    ("wnut", "wnut16/dev", 1000, 16261, 661, 0),
    ("ec", "ec/train", 1097, 8635, 1264, 0),
    ("ec", "ec/dev", 400, 3104, 475, 0),
    ("ec", "ec/ds_fa", 2560, 21976, 3061, 0),
    ("ec", "ec/ds_pa", 2560, 21976, 3061, 0),
    ("news", "news/train", 3000, 139828, 1746, 0),
    ("news", "news/dev", 3328, 149005, 1157, 0),
    ("news", "news/ds_fa", 3722, 186694, 4475, 0),
    ("news", "news/ds_pa", 3722, 186694, 4475, 0),
    ("conll", "conll2002/esp.train", 8323, 264715, 18798, 0),
    ("conll", "conll2002/esp.testa", 1915, 52923, 4352, 0),
    ("conll", "conll2002/ned.train", 15806, 202644, 13344, 0),
    ("conll", "conll2002/ned.testa", 2895, 37687, 2616, 0),
    ("conll04", "conll04/train.txt", 910, 26804, 3391, 1273),
    ("conll04", "conll04/dev.txt", 243, 6975, 877, 353),
    ("germeval14", "germeval14/germ.train.iob2", 24000, 452853, 31545, 0),
    ("germeval14", "germeval14/germ.dev.iob2", 2200, 41653, 2886, 0),
    ("germeval14", "germeval14/NER-de-dev.tsv", 2200, 41653, 2886, 0),
    ("genia", "genia/genia.dev.iob2", 1669, 48932, 4337, 0),
    ("wnut", "wnut17/emerging.test.annotated", 1287, 23394, 1079, 0),
    ("wnut", "wnut16/test", 3850, 61908, 3473, 0),
    ("ec", "ec/test", 798, 6107, 918, 0),
    ("news", "news/test", 3186, 132122, 1004, 0),
    ("conll", "conll2002/esp.testb", 1517, 51533, 3559, 0),
    ("conll", "conll2002/ned.testb", 5195, 68875, 3941, 0),
    ("conll04", "conll04/test.txt", 288, 8408, 1079, 422),
    ("germeval14", "germeval14/germ.test.iob2", 5100, 96499, 6693, 0),
    ("genia", "genia/genia.test.iob2", 1854, 57021, 5474, 0),
]
# The only repairs that readers have to make.
REPAIRS = {
    "conll2002/esp.train": {"tag that does not follow the BIO scheme": 1},
    "conll2002/esp.testb": {"tag that does not follow the BIO scheme": 1},
    "conll2002/esp.testa": {"tag that does not follow the BIO scheme": 1},
    "conll04/train.txt": {"tag that does not follow the BIO scheme": 2, "I- tags without a B- ignored": 2},
}


def read(reader, path):
    statistics, repairs = Statistics(), Repairs()
    corpus = Corpus.by_name(reader)()
    for file in corpus.files(str(path)):
        for sentence in corpus.sentences(file, repairs):
            statistics.add(sentence)
    return statistics, repairs


def needs(path):
    return pytest.mark.skipif(not (DATA / path).exists(), reason=f"{path} is not among the corpora at hand")


@pytest.mark.parametrize("row", [pytest.param(row, id=row[1], marks=needs(row[1])) for row in TABLE])
def test_the_published_files_are_read_to_the_last_token(row):
    reader, path, *expected = row
    statistics, repairs = read(reader, DATA / path)
    assert [statistics.sentences, statistics.tokens, statistics.entities, statistics.relations] == expected
    assert repairs.counts == REPAIRS.get(path, {})
    assert (
        Counts(*expected)[: 4 if reader == "conll04" else 3]
        == published_counts(reader, path)[: 4 if reader == "conll04" else 3]
    )


@needs("germeval14")
def test_germeval_is_the_same_in_both_forms():
    corpus = Corpus.by_name("germeval14")()
    tsv, iob2 = (corpus.sentences(str(DATA / "germeval14" / f), Repairs()) for f in ("NER-de-dev.tsv", "germ.dev.iob2"))
    assert [(s.tokens, s.entities) for s in tsv] == [(s.tokens, s.entities) for s in iob2]


@needs("litbank")
def test_litbank_has_the_same_sentences_and_entities_in_both_forms():
    tsv, brat = (read("litbank", DATA / "litbank" / folder)[0] for folder in ("tsv", "brat"))
    assert (tsv.sentences, tsv.entities) == (brat.sentences, brat.entities) == (6997, 11153)
    assert tsv.entity_types == brat.entity_types


@needs("anercorp")
def test_anercorp_is_cut_into_sentences_and_its_rows_without_a_token_are_counted():
    statistics, repairs = read("anercorp", DATA / "anercorp")
    assert statistics.tokens + repairs.counts["empty token left out"] == 100_000
    assert repairs.counts == {
        "empty token left out": 95,
        "row with more than one space": 16,
        "tag that does not follow the BIO scheme": 29,
    }
    assert statistics.entities == 7036 + 29
    assert max(statistics.lengths) <= 190


@needs("msra")
def test_msra_is_read_without_a_repair():
    statistics, repairs = read("msra", DATA / "msra")
    assert (statistics.sentences, statistics.tokens, statistics.entities) == (6000, 261419, 8471)
    assert not repairs.counts


@pytest.mark.parametrize(
    "reader, path, key",
    [
        ("conll", "somewhere/eng.train", "eng.train"),
        ("conll", "somewhere/eng.train.gz", "eng.train"),
        ("ontonotes", "v12/data/train/data/english/annotations", "train"),
        ("ontonotes", "v12/data/development/", "development"),
    ],
)
def test_published_counts_are_found_by_reader_and_name(reader, path, key):
    assert published_counts(reader, path) is PUBLISHED[reader, key]


@pytest.mark.parametrize(
    "reader, path", [("conll", "train"), ("ontonotes", "train/data/english/annotations/nw"), ("x", "dev")]
)
def test_nothing_is_published_for_what_is_not_known(reader, path):
    assert published_counts(reader, path) is None
