"""Folds are the same for the same seed, of equal size, and keep near-duplicates together."""

import json
from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.workbench.folds import TrainingData, make_folds, write_folds_of
from tests.workbench.noisy_data import noisy_config

SENTENCES = [Sentence((letter, 2 * letter, 3 * letter)) for letter in "abcdefghijklmnopqrstuvw"]


def test_folds_depend_on_the_seed_alone():
    assert make_folds(SENTENCES, 5, 1) == make_folds(SENTENCES, 5, 1) != make_folds(SENTENCES, 5, 2)


def test_folds_have_nearly_the_same_size():
    assert sorted(Counter(make_folds(SENTENCES, 5, 1)).values()) == [4, 4, 5, 5, 5]


def test_near_duplicates_share_a_fold():
    twin = Sentence(("H", "hh", "HHH"))
    folds = make_folds([*SENTENCES, twin, twin], 5, 3)
    assert folds[7] == folds[-1] == folds[-2]


@pytest.mark.parametrize(
    ("sentences", "count", "problem"),
    [(SENTENCES, 1, "Pass 2 or more"), (SENTENCES[:3], 5, "too few for 5 folds"), (SENTENCES[:1] * 9, 2, "1 groups")],
)
def test_folds_that_cannot_be_made_are_refused(sentences, count, problem):
    with pytest.raises(ConfigurationError, match=problem):
        make_folds(sentences, count, 1)


def test_data_without_labels_or_of_another_reader_is_refused(tmp_path):
    config = noisy_config(tmp_path)
    (tmp_path / "train.jsonl").write_text(json.dumps({"tokens": ["a"], "entities": []}) + "\n")
    with pytest.raises(ConfigurationError, match="1 sentences but no entities"):
        TrainingData.of(config)
    with pytest.raises(ConfigurationError, match="no train_data_path"):
        TrainingData.of({**config, "train_data_path": None})
    with pytest.raises(ConfigurationError, match="annotation_dropout"):
        TrainingData.of({**config, "dataset_reader": {"type": "conll", "annotation_dropout": {"probability": 0.5}}})
    with pytest.raises(ConfigurationError, match="AllenNLP's SequenceTaggingDatasetReader"):
        TrainingData.of({**config, "dataset_reader": {"type": "sequence_tagging"}})


def test_the_file_of_the_folds_is_named_by_the_data(tmp_path):
    config = noisy_config(tmp_path)
    data = TrainingData.of(config)
    first, folds = write_folds_of(data, tmp_path, 3, 1)
    assert len(folds) == len(data.sentences) == 120 and write_folds_of(data, tmp_path, 3, 1)[0] == first
    data.sentences[0] = Sentence(data.sentences[0].tokens, (Entity.of("NEW", 0, 1),))
    assert write_folds_of(data, tmp_path, 3, 1)[0] != first
