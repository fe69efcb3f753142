import random
from collections import Counter

import numpy as np
import pytest

from ner_zoo.pretraining import cooccurrence
from ner_zoo.pretraining.cooccurrence import PairCounter


def by_hand(sentences, window):
    counts = Counter()
    for sentence in sentences:
        for i, word in enumerate(sentence):
            for distance in range(1, window + 1):
                if i >= distance:
                    other = sentence[i - distance]
                    counts[min(word, other), max(word, other)] += (2 if word == other else 1) / distance
    return counts


def counted(sentences, window, folder, megabytes=64):
    counter = PairCounter(window, megabytes, folder)
    words = sum(counter.add(sentences))
    assert words == sum(len(sentence) + 1 for sentence in sentences)
    pairs = counter.pairs()
    return {(int(i), int(j)): count for i, j, count in zip(*pairs)}, pairs


def some_sentences(words, sentences=200, seed=1):
    draw = random.Random(seed)
    return [[draw.randrange(words) for _ in range(draw.randrange(30))] for _ in range(sentences)]


@pytest.mark.parametrize("window", [1, 3, 10])
def test_pairs_count_by_one_over_their_distance_within_a_sentence(window, tmp_path):
    sentences = some_sentences(20)
    found, _ = counted(sentences, window, tmp_path)
    expected = by_hand(sentences, window)
    assert found.keys() == expected.keys()
    assert all(found[pair] == pytest.approx(count) for pair, count in expected.items())


def test_what_does_not_fit_into_memory_is_merged_from_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(cooccurrence, "FIRST_SLOTS", 256)
    monkeypatch.setattr(cooccurrence, "BLOCK", 500)
    sentences = some_sentences(300)
    counter = PairCounter(5, 1, tmp_path)
    counter.most_slots = 1024
    assert sum(counter.add(sentences)) > 0
    assert len(counter.runs) > 3 and len(list(tmp_path.iterdir())) == 2 * len(counter.runs)
    pairs = counter.pairs()
    expected = by_hand(sentences, 5)
    assert {(int(i), int(j)): pytest.approx(count) for i, j, count in zip(*pairs)} == expected
    assert not list(tmp_path.iterdir())


def test_the_table_grows_with_the_number_of_pairs(tmp_path, monkeypatch):
    monkeypatch.setattr(cooccurrence, "FIRST_SLOTS", 256)
    found, _ = counted(some_sentences(1000, 400), 5, tmp_path)
    assert found == {pair: pytest.approx(count) for pair, count in by_hand(some_sentences(1000, 400), 5).items()}


def test_pairs_come_in_order_and_each_once(tmp_path):
    _, pairs = counted(some_sentences(50), 4, tmp_path)
    keys = pairs.first.astype(np.int64) << 32 | pairs.second
    assert (np.diff(keys) > 0).all() and (pairs.first <= pairs.second).all()


def test_no_text_has_no_pairs(tmp_path):
    found, _ = counted([], 4, tmp_path)
    assert found == {}
