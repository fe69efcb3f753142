"""The trainer counts the labels of the training data without any configuration."""

import json

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive
from torch.testing import assert_close

TRAIN, DEV = "fixtures/demo/train.jsonl", "fixtures/demo/dev.jsonl"


def config(**trainer):
    return Params(
        {
            "dataset_reader": {"type": "span_json", "view": {"type": "tags", "scheme": "BIO"}},
            "train_data_path": TRAIN,
            "validation_data_path": DEV,
            "model": {
                "type": "tagger",
                "embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 4}}},
                "encoder": {"type": "pass_through", "input_dim": 4},
                "head": "label_aware_crf",
                "loss": "nll",
            },
            "data_loader": {"batch_size": 32},
            "trainer": {"num_epochs": 1, "optimizer": {"type": "sgd", "lr": 0.1}, **trainer},
        }
    )


def zeta_by_hand(names):
    """Counted in the file itself: a begin per entity, an inside per further token, O for the rest."""
    counts = dict.fromkeys(names, 0)
    with open(TRAIN) as file:
        for line in file:
            sentence = json.loads(line)
            outside = len(sentence["tokens"])
            for entity in sentence["entities"]:
                width = entity["end"] - entity["start"]
                outside -= width
                counts[f"B-{entity['type']}"] += 1
                if width > 1:
                    counts[f"I-{entity['type']}"] += width - 1
            counts["O"] += outside
    return torch.tensor([(max(counts.values()) / counts[name]) ** 0.25 for name in names])


def test_zeta_comes_from_the_training_data_alone_and_stays_in_the_archive(tmp_path):
    train_model(config(), str(tmp_path / "run"))
    model = load_archive(tmp_path / "run" / "model.tar.gz").model
    assert_close(model.head.zeta, zeta_by_hand(model.labels.names))


def test_a_resumed_run_keeps_what_was_counted(tmp_path):
    train_model(config(checkpointer={"keep_most_recent_by_count": 1}), str(tmp_path))
    state = next(tmp_path.glob("model_state*.th"))
    weights = torch.load(state)
    weights["head.zeta"] += 1.0
    torch.save(weights, state)
    model = train_model(config(checkpointer={"keep_most_recent_by_count": 1}), str(tmp_path), recover=True)
    assert_close(model.head.zeta, zeta_by_hand(model.labels.names) + 1.0)


def test_without_default_callbacks_it_must_be_named(tmp_path):
    with pytest.raises(ConfigurationError, match="label_counts"):
        train_model(config(enable_default_callbacks=False), str(tmp_path / "without"))
    named = config(enable_default_callbacks=False, callbacks=["label_counts"])
    model = train_model(named, str(tmp_path / "with"))
    assert_close(model.head.zeta, zeta_by_hand(model.labels.names))
