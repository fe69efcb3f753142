"""Whatever the configuration, and wherever a run is killed: the recovered run gives the same result."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.params import with_overrides
from allennlp.training import GradientDescentTrainer, TrainerCallback

Experiment = dict[str, Any]

AFTER_LAST_BATCH = -1


class Killed(BaseException):
    """Not an `Exception`, so that nothing catches it, like a real kill."""


@TrainerCallback.register("killer")
class Killer(TrainerCallback):
    """Ends the run after the batch (epoch, batch), both from 0, or `AFTER_LAST_BATCH`, in the evaluation."""

    at: tuple[int, int] | None = None

    def on_batch(self, trainer: GradientDescentTrainer, *_: Any, is_training: bool, **__: Any) -> None:
        if is_training and (trainer._epochs_completed, trainer._batches_in_epoch_completed - 1) == self.at:
            raise Killed

        if not is_training and (trainer._epochs_completed, AFTER_LAST_BATCH) == self.at:
            raise Killed


def results(folder: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """All metrics except time and memory, and the weights in the archive."""
    metrics = json.loads((folder / "metrics.json").read_text())
    kept = {key: value for key, value in metrics.items() if "memory" not in key and "duration" not in key}
    return kept, torch.load(folder / "best.th", weights_only=True)


def train(experiment: Experiment, folder: Path, recover: bool = False) -> None:
    train_model(Params(json.loads(json.dumps(experiment))), str(folder), recover=recover)


def assert_recovers(experiment: Experiment, folder: Path, *kills: tuple[int, int]) -> None:
    experiment["trainer"].setdefault("callbacks", []).append("killer")
    train(experiment, folder / "whole")
    for number, Killer.at in enumerate(kills):
        with pytest.raises(Killed):
            train(experiment, folder / "killed", recover=number > 0)
    Killer.at = None
    train(experiment, folder / "killed", recover=True)
    whole_metrics, whole_weights = results(folder / "whole")
    metrics, weights = results(folder / "killed")
    assert metrics == whole_metrics
    for name, weight in whole_weights.items():
        assert torch.equal(weights[name], weight), name


def test_an_epoch_is_trained_again_from_its_start(stock_experiment: Experiment, tmp_path: Path) -> None:
    assert_recovers(stock_experiment, tmp_path, (1, 3))


@pytest.mark.parametrize("batch", [3, 7])
def test_an_epoch_resumes_from_a_checkpoint_within_it(stock_experiment: Experiment, tmp_path: Path, batch: int) -> None:
    stock_experiment["trainer"]["checkpointer"] = {"save_every_num_batches": 2}
    assert_recovers(stock_experiment, tmp_path, (1, batch))


def test_an_epoch_of_which_all_batches_are_done_is_only_evaluated(stock_experiment: Experiment, tmp_path: Path) -> None:
    stock_experiment["trainer"]["checkpointer"] = {"save_every_num_batches": 4}
    assert_recovers(stock_experiment, tmp_path, (1, AFTER_LAST_BATCH))


def test_a_run_may_be_killed_several_times(stock_experiment: Experiment, tmp_path: Path) -> None:
    stock_experiment["trainer"]["checkpointer"] = {"save_every_num_batches": 2}
    assert_recovers(stock_experiment, tmp_path, (0, 3), (1, 5), (1, 6), (2, 0))


PARAMETER_GROUPS = [[["^text_field_embedder"], {}], [["^encoder"], {}], [["^tag_projection", "^crf"], {}]]
VARIATIONS: dict[str, Experiment] = {
    "moving average": {"trainer.moving_average": {"type": "exponential", "decay": 0.5}},
    "accumulated gradients and a penalty": {
        "trainer.num_gradient_accumulation_steps": 3,
        "model.regularizer": {"regexes": [[".*weight.*", {"type": "l2", "alpha": 0.01}]]},
    },
    "shuffled without a sampler": {"data_loader": {"batch_size": 4, "shuffle": True}},
    "data not kept in memory": {"data_loader": {"batch_size": 4, "shuffle": True, "max_instances_in_memory": 8}},
    "epochs shorter than the data": {"data_loader": {"batch_size": 4, "shuffle": True, "batches_per_epoch": 5}},
    "sparse gradients": {
        "model.text_field_embedder.token_embedders.tokens.sparse": True,
        "trainer.optimizer": {"type": "dense_sparse_adam", "lr": 0.02},
        "trainer.grad_norm": 1.0,
    },
    "reduce on plateau": {
        "trainer.learning_rate_scheduler": {"type": "reduce_on_plateau", "mode": "max", "patience": 0, "verbose": True}
    },
    "noam": {"trainer.learning_rate_scheduler": {"type": "noam", "model_size": 8, "warmup_steps": 9}},
    "warm-up": {"trainer.learning_rate_scheduler": {"type": "linear_with_warmup", "warmup_steps": 10}},
    "cosine": {"trainer.learning_rate_scheduler": {"type": "cosine", "t_initial": 2}},
    "gradual unfreezing": {
        "trainer.optimizer.parameter_groups": PARAMETER_GROUPS,
        "trainer.learning_rate_scheduler": {"type": "slanted_triangular", "gradual_unfreezing": True},
    },
    "several schedules": {
        "trainer.learning_rate_scheduler": {
            "type": "combined",
            "schedulers": [[1, {"type": "linear_with_warmup", "warmup_steps": 5}], [2, {"type": "exponential"}]],
        }
    },
    "momentum": {
        "trainer.optimizer": {"type": "sgd", "lr": 0.1, "momentum": 0.9},
        "trainer.momentum_scheduler": {"type": "inverted_triangular", "cool_down": 2, "warm_up": 2},
    },
    "validation now and then": {"trainer.callbacks": [{"type": "should_validate_callback", "validation_interval": 2}]},
}


@pytest.mark.parametrize("variation", VARIATIONS)
def test_every_part_of_training_resumes(stock_experiment: Experiment, tmp_path: Path, variation: str) -> None:
    """First from a checkpoint at the end of an epoch, then from one within."""
    experiment = with_overrides(stock_experiment, VARIATIONS[variation])
    experiment["trainer"]["checkpointer"] = {"save_every_num_batches": 2}
    assert_recovers(experiment, tmp_path, (1, 0), (1, 2))


def test_the_best_weights_are_not_forgotten(stock_experiment: Experiment, tmp_path: Path) -> None:
    # The first epoch is the best one: afterwards training only makes it worse.
    stock_experiment["trainer"].update(optimizer={"type": "sgd", "lr": 1e-9}, validation_metric="+accuracy")
    assert_recovers(stock_experiment, tmp_path, (1, 3))


def test_the_best_weights_are_written_where_the_run_was_killed_just_before(
    stock_experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill(*_: Any) -> None:
        raise Killed

    train(stock_experiment, tmp_path / "whole")
    with pytest.raises(Killed), monkeypatch.context() as context:
        context.setattr("allennlp.training.gradient_descent_trainer.hardlink_or_copy", kill)
        train(stock_experiment, tmp_path / "killed")
    assert not (tmp_path / "killed" / "best.th").exists()
    train(stock_experiment, tmp_path / "killed", recover=True)
    assert results(tmp_path / "killed")[0] == results(tmp_path / "whole")[0]


@pytest.mark.parametrize("patience", [None, 1])
def test_a_run_killed_after_its_last_epoch_does_not_train_again(
    stock_experiment: Experiment, tmp_path: Path, patience: int | None
) -> None:
    stock_experiment["trainer"].update(optimizer={"type": "sgd", "lr": 1e-9}, patience=patience, num_epochs=4)
    train(stock_experiment, tmp_path)
    whole = results(tmp_path)[0]
    (tmp_path / "metrics.json").unlink()
    (tmp_path / "model.tar.gz").unlink()
    train(stock_experiment, tmp_path, recover=True)
    assert results(tmp_path)[0] == whole
    assert whole["epoch"] == (3 if patience is None else 1)
