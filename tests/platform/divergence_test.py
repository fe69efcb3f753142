"""A diverging run ends with the sentences of the batch and possible remedies."""

from pathlib import Path
from typing import Any

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training import TrainerCallback

from tests.trained_models import ROOT

MODEL = {
    "type": "tagger",
    "embedder": {"token_embedders": {"words": {"type": "embedding", "embedding_dim": 4, "vocab_namespace": "words"}}},
    "encoder": {"type": "lstm", "input_size": 4, "hidden_size": 4},
    "head": "crf",
    "loss": "nll",
}


def experiment(**trainer: Any) -> Params:
    return Params(
        {
            "dataset_reader": {
                "type": "span_json",
                "view": "tags",
                "token_indexers": {"words": {"type": "single_id", "namespace": "words"}},
                "max_instances": 40,
            },
            "train_data_path": str(ROOT / "fixtures" / "demo" / "train.jsonl"),
            "model": MODEL,
            "data_loader": {"batch_size": 10},
            "trainer": {"num_epochs": 2, "cuda_device": -1, "optimizer": {"type": "sgd", "lr": 0.1}, **trainer},
        }
    )


@TrainerCallback.register("spoil_loss")
class SpoilLoss(TrainerCallback):
    """Sets the loss of the third batch to a given value."""

    value = 1.0

    def on_start(self, trainer: Any, is_primary: bool = True, **_: Any) -> None:
        original, calls = trainer._pytorch_model.forward, []

        def forward(**batch: Any) -> Any:
            output = original(**batch)
            calls.append(1)
            if len(calls) == 3:
                output["loss"] = output["loss"] * torch.tensor(self.value)
            return output

        trainer._pytorch_model.forward = forward


@pytest.mark.parametrize(("value", "name"), [(float("nan"), "NaN"), (float("inf"), "infinite")])
def test_the_sentences_of_the_batch_are_named(
    value: float, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SpoilLoss, "value", value)
    with pytest.raises(ConfigurationError) as caught:
        train_model(experiment(callbacks=["spoil_loss"]), str(tmp_path / "run"))
    message = str(caught.value)
    assert f"The loss is {name} in epoch 0, batch 3." in message and "The weights are finite" in message
    assert "train.jsonl:21 " in message and "and 2 more" in message and "trainer.grad_norm" in message


@TrainerCallback.register("ruin_weights")
class RuinWeights(TrainerCallback):
    """The effect of one step that is too large."""

    def on_batch(self, trainer: Any, *_: Any, **__: Any) -> None:
        torch.nn.init.constant_(next(trainer.model.encoder.parameters()), float("inf"))


def test_steps_that_were_too_large_are_blamed_if_the_weights_are_ruined(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="loss is NaN in epoch 0, batch 2. The weights were not finite"):
        train_model(experiment(callbacks=["ruin_weights"]), str(tmp_path / "run"))
