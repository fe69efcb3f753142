from pathlib import Path

import pytest

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.news import News
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures"


def read(path):
    repairs = Repairs()
    corpus = News()
    found = [s for file in corpus.files(str(FIXTURES / path)) for s in corpus.sentences(file, repairs)]
    assert not repairs.counts
    return found


def test_both_corpora_are_read_alike():
    assert Corpus.by_name("ec") is Corpus.by_name("news") is News


def test_a_token_may_be_a_space_or_a_control_character():
    shop = read("ec/train")
    assert shop[0].tokens[6] == " " and len(shop[0].tokens) == 9
    assert shop[0].entities == (Entity.of("pp", 3, 6), Entity.of("cp", 7, 9))
    assert shop[2].tokens[4] == "\x08"
    news = read("news/train")
    assert news[1].tokens[2] == "\u3000" and news[2].tokens[9] == "\x1c"


@pytest.mark.parametrize("folder", ["ec", "news"])
def test_what_the_dictionary_does_not_hold_is_outside_or_unknown(folder):
    full, partial = read(f"{folder}/ds_fa"), read(f"{folder}/ds_pa")
    for outside, unknown in zip(full, partial):
        assert outside.unknown == ()
        assert outside.tokens == unknown.tokens and outside.entities == unknown.entities
        inside = {position for entity in unknown.entities for position in range(entity.start, entity.end)}
        assert set(unknown.unknown) == set(range(len(unknown.tokens))) - inside


def test_train_and_distant_sentences_are_one_path_expression():
    both = read("ec/train + ds_fa")
    assert both == read("ec/train") + read("ec/ds_fa")
    assert both == read(f"ec/train + {FIXTURES}/ec/ds_fa")


def test_a_directory_is_read_through_its_human_annotation():
    assert [Path(file).name for file in News().files(str(FIXTURES / "ec"))] == ["dev", "train"]
