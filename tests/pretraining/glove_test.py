import gzip
import random
from dataclasses import replace

import numpy as np
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import Embedding

from ner_zoo.pretraining import glove
from ner_zoo.pretraining.glove import train, write_vectors
from ner_zoo.pretraining.settings import Settings

FAST = Settings(dim=8, window=4, min_count=1, epochs=20)
GROUPS = {
    "fruit": ["apple", "pear", "plum", "fig"],
    "tools": ["saw", "axe", "file", "drill"],
    "birds": ["wren", "rook", "kite", "swift"],
}


def planted(sentences=3000, seed=0):
    """Words of a group often occur next to the same verbs, and sometimes next to those of other groups."""
    draw = random.Random(seed)
    verbs = {"fruit": ["eat", "peel"], "tools": ["grind", "hold"], "birds": ["watch", "feed"]}
    for _ in range(sentences):
        group = draw.choice(list(GROUPS))
        verb = draw.choice(verbs[group if draw.random() < 0.8 else draw.choice(list(GROUPS))])
        yield ["they", verb, "the", draw.choice(GROUPS[group]), "today"]


def vectors(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split(" ") for line in file]
    return {word: np.array(numbers, dtype=float) for word, *numbers in rows}


def test_planted_neighbours_are_found_again(tmp_path):
    about = train(planted, tmp_path / "v.txt", replace(FAST, epochs=100))
    assert about["last_loss"] < 0.5 * about["first_loss"]
    found = vectors(tmp_path / "v.txt")
    names = [name for group in GROUPS.values() for name in group]
    matrix = np.stack([found[name] for name in names])
    matrix -= matrix.mean(0)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    likeness = matrix @ matrix.T - 2 * np.eye(len(names))
    group_of = {name: group for group, members in GROUPS.items() for name in members}
    assert all(group_of[names[likeness[i].argmax()]] == group_of[name] for i, name in enumerate(names))


def test_a_stopped_run_resumes_and_ends_with_the_same_vectors(tmp_path, monkeypatch):
    train(planted, tmp_path / "whole.txt.gz", FAST, source="planted")
    epoch = glove._epoch

    def stop(model, number, epochs):
        if number == 7:
            raise KeyboardInterrupt
        return epoch(model, number, epochs)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(glove, "_epoch", stop)
        train(planted, tmp_path / "stopped.txt.gz", FAST, source="planted")
    assert not (tmp_path / "stopped.txt.gz").exists()

    def unread():
        raise AssertionError("the text is not read again")

    train(unread, tmp_path / "stopped.txt.gz", FAST, source="planted")
    assert (tmp_path / "stopped.txt.gz").read_bytes() == (tmp_path / "whole.txt.gz").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["stopped.txt.gz", "whole.txt.gz"]


def test_resuming_with_other_settings_or_another_text_is_refused(tmp_path):
    folder = glove.work_folder(tmp_path / "v.txt", FAST, "one text")
    glove._words(planted, folder, FAST)
    for settings, source in ((Settings(dim=9), "one text"), (FAST, "another text")):
        with pytest.raises(ConfigurationError, match="remove the folder"):
            glove.work_folder(tmp_path / "v.txt", settings, source)
    assert glove.work_folder(tmp_path / "v.txt", FAST, "one text") == folder


def test_allennlp_reads_what_was_written(tmp_path):
    words, matrix = (
        ["the", "naïve", "中", "fig", "#tag"],
        np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32),
    )
    for name in ("v.txt", "v.txt.gz"):
        write_vectors(tmp_path / name, words, matrix)
        vocab = Vocabulary({"tokens": dict.fromkeys(words, 1)})
        embedding = Embedding(embedding_dim=4, vocab=vocab, pretrained_file=str(tmp_path / name))
        rows = [vocab.get_token_index(word) for word in words]
        torch.testing.assert_close(embedding.weight[rows].detach(), torch.tensor(matrix), rtol=1e-4, atol=1e-4)


def test_words_are_the_frequent_ones_without_spaces_in_them(tmp_path):
    text = [["a", "a", "b", "b", "b", " ", " ", "c", "new york", "new york"]]
    train(lambda: text, tmp_path / "v.txt", Settings(dim=4, window=2, min_count=2, epochs=1))
    assert list(vectors(tmp_path / "v.txt")) == ["b", "a"]
    train(lambda: text, tmp_path / "v.txt", Settings(dim=4, window=2, min_count=1, max_words=1, epochs=1))
    assert list(vectors(tmp_path / "v.txt")) == ["b"]


def test_words_are_kept_to_the_character_however_long(tmp_path):
    words = ["a", "a\0", "日本", "=" * 5000]
    folder = glove.work_folder(tmp_path / "v.txt", FAST, "")
    assert glove._words(lambda: [words], folder, FAST) == sorted(words)
    assert glove._words(list, folder, FAST) == sorted(words)
    assert (folder / glove.WORDS).stat().st_size < 6000


def test_text_without_a_frequent_word_is_refused_and_may_be_tried_again_at_once(tmp_path):
    with pytest.raises(ConfigurationError, match="min_count"):
        train(lambda: [["a", "b"]], tmp_path / "v.txt", Settings(min_count=2))
    train(lambda: [["a", "b"]], tmp_path / "v.txt", Settings(dim=4, min_count=1, epochs=1))
    assert list(vectors(tmp_path / "v.txt")) == ["a", "b"]


def test_a_learning_rate_that_is_too_high_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(ConfigurationError, match="learning_rate of 1000"):
        train(planted, tmp_path / "v.txt", replace(FAST, learning_rate=1000.0))
    assert not (tmp_path / "v.txt").exists()


@pytest.mark.parametrize(
    "settings, match",
    [
        ({"window": 0}, "window is 0"),
        ({"learning_rate": float("nan")}, "learning_rate is nan"),
        ({"max_words": -2}, "max_words is -2"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_invalid_settings_are_refused(settings, match):
    with pytest.raises(ConfigurationError, match=match):
        Settings(**settings)


def test_no_memory_and_a_folder_for_the_vectors_are_refused_before_the_text_is_read(tmp_path):
    with pytest.raises(ConfigurationError, match="megabytes is 0"):
        train(planted, tmp_path / "v.txt", FAST, megabytes=0)
    with pytest.raises(ConfigurationError, match="is a folder"):
        train(planted, tmp_path, FAST)
    assert not list(tmp_path.iterdir())
