import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.cadec import Cadec
from ner_zoo.data.repairs import Repairs
from tests.real_corpora import DATA

FIXTURES = Path(__file__).parents[3] / "fixtures"


def read(path):
    corpus, repairs = Cadec(), Repairs()
    return [sentence for file in corpus.files(str(path)) for sentence in corpus.sentences(file, repairs)], repairs


def texts(sentence):
    return [
        " ".join(token for start, end in entity.fragments for token in sentence.tokens[start:end])
        for entity in sentence.entities
    ]


def test_the_published_form_finds_the_text_in_the_neighbouring_folder():
    found, repairs = read(FIXTURES / "cadec")
    assert len(found) == 4 and not repairs.counts
    assert [texts(sentence) for sentence in found][:2] == [
        ["Quellatrin", "muscle pain in my arms", "muscle pain in my legs", "muscle pain in my back"],
        ["knees were swollen", "knees were stiff"],
    ]


@pytest.mark.parametrize("path", ["cadec_json", "cadec_json/train.json"])
def test_token_numbers_become_fragments(path):
    found, repairs = read(FIXTURES / path)
    assert [len(sentence.tokens) for sentence in found] == [9, 5, 4] and not repairs.counts
    assert found[0].entities == (Entity("ADR", ((0, 1), (3, 8))), Entity.of("ADR", 2, 8))
    assert texts(found[2]) == ["Cramps"]


@pytest.mark.parametrize(
    "record",
    [
        {"sentence": ["a"], "ner": [{"index": [1], "type": "X"}]},
        {"sentence": ["a"], "ner": [{"index": [-1], "type": "X"}]},
        {"sentence": ["a"], "ner": [{"index": [], "type": "X"}]},
        {"sentence": ["a"], "ner": [{"index": ["0"], "type": "X"}]},
        {"sentence": ["a"], "ner": [{"index": [0]}]},
        {"sentence": "a b", "ner": []},
        {"tokens": ["a"]},
    ],
)
def test_what_is_not_of_the_form_is_refused_with_file_and_line(tmp_path, record):
    file = tmp_path / "train.json"
    file.write_text(json.dumps([record]))
    with pytest.raises(ConfigurationError, match="train.json:1"):
        read(file)


@pytest.mark.skipif(not (DATA / "cadec").is_dir(), reason="the corpus is not here")
@pytest.mark.parametrize("split, sentences, entities", [("train", 5444, 4428), ("dev", 1110, 897), ("test", 1202, 990)])
def test_the_counts_of_the_corpus_in_the_form_of_w2ner(split, sentences, entities):
    found, repairs = read(DATA / "cadec" / f"{split}.json")
    assert len(found) == sentences
    assert sum(len(sentence.entities) for sentence in found) + repairs.counts["repeated entity left out"] == entities
