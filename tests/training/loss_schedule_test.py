"""A loss gets the right epoch in an uninterrupted run and in a resumed one."""

import json
from math import exp

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training.callbacks import TrainerCallback

from ner_zoo.losses.nrces import Nrces

HEARD = "heard.jsonl"


@TrainerCallback.register("loss_schedule_test_witness", exist_ok=True)
class Witness(TrainerCallback):
    """Records the state of the loss at each training batch; may stop the run at the end of an epoch."""

    stop_at: int | None = None

    def on_start(self, trainer, is_primary=True):
        forward = trainer.model.loss.per_sentence

        def listen(structure, gold):
            if trainer.model.training:
                self.write(trainer.model.loss)
            return forward(structure, gold)

        trainer.model.loss.per_sentence = listen

    def write(self, loss):
        with open(f"{self.serialization_dir}/{HEARD}", "a") as file:
            file.write(json.dumps([int(loss.epoch), loss._batch, loss.beta(), loss.uniform(3).tolist()]) + "\n")

    def on_epoch(self, trainer, metrics, epoch, is_primary=True):
        if epoch == self.stop_at:
            raise KeyboardInterrupt


def config(**trainer):
    return {
        "dataset_reader": {"type": "span_json", "view": "spans", "max_instances": 24},
        "train_data_path": "fixtures/demo/train.jsonl",
        "model": {
            "type": "span",
            "embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 4}}},
            "encoder": {"type": "pass_through", "input_dim": 4},
            "representation": {"type": "projected_endpoints", "dim": 4, "width_dim": 2},
            "head": "softmax",
            "loss": {"type": "nrces", "w": 2.0},
        },
        "data_loader": {"batch_size": 8},
        "trainer": {
            "num_epochs": 4,
            "optimizer": "adam",
            "callbacks": ["loss_schedule_test_witness"],
            **trainer,
        },
    }


def heard(folder):
    return [json.loads(line) for line in (folder / HEARD).read_text().splitlines()]


def test_no_config_has_to_name_the_callback_for_the_loss_to_get_the_epoch(tmp_path):
    train_model(Params(config()), str(tmp_path), force=True)
    steps = [(epoch, batch) for epoch, batch, _, _ in heard(tmp_path)]
    assert steps == [(epoch, batch) for epoch in range(4) for batch in range(3)]
    assert [beta for _, _, beta, _ in heard(tmp_path)[::3]] == [exp(-epoch / 2) for epoch in range(4)]


def test_after_a_resume_epoch_and_draws_are_those_of_a_run_that_was_not_stopped(tmp_path, monkeypatch):
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    train_model(Params(config()), str(whole), force=True)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Witness, "stop_at", 2)
        train_model(Params(config()), str(stopped), force=True)
    # Epoch 2 was interrupted before its checkpoint, and is trained again.
    (stopped / HEARD).unlink()
    train_model(Params(config()), str(stopped), recover=True)
    assert heard(stopped) == [step for step in heard(whole) if step[0] >= 2]


def test_the_archived_loss_stores_how_long_it_was_trained(tmp_path):
    model = train_model(Params(config()), str(tmp_path), force=True)
    assert isinstance(model.loss, Nrces)
    assert int(model.loss.epoch) == 4


def test_a_trainer_without_its_default_callbacks_does_not_train_on_in_the_first_epoch(tmp_path):
    with pytest.raises(ConfigurationError, match="loss_schedule"):
        train_model(Params(config(enable_default_callbacks=False)), str(tmp_path), force=True)
