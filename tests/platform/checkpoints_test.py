"""Damaged checkpoints, a full disk and Ctrl-C: a run can be resumed."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from allennlp import commands
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training import TrainerCallback

Experiment = dict[str, Any]


def train(experiment: Experiment, folder: Path, recover: bool = False) -> None:
    train_model(Params(json.loads(json.dumps(experiment))), str(folder), recover=recover)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return torch.load(folder / "best.th", weights_only=True)


def assert_same(one: Path, other: Path) -> None:
    assert all(torch.equal(weights(other)[name], weight) for name, weight in weights(one).items())


@TrainerCallback.register("interrupter")
class Interrupter(TrainerCallback):
    """Ctrl-C in the third batch of the second epoch."""

    is_on = False

    def on_batch(self, trainer: Any, *_: Any, is_training: bool, **__: Any) -> None:
        if self.is_on and is_training and trainer._epochs_completed == 1 and trainer._batches_in_epoch_completed == 3:
            raise KeyboardInterrupt


@pytest.fixture
def whole(stock_experiment: Experiment, tmp_path: Path) -> Path:
    """An uninterrupted run."""
    stock_experiment["trainer"]["callbacks"] = ["interrupter"]
    train(stock_experiment, tmp_path / "whole")
    return tmp_path / "whole"


def interrupted(experiment: Experiment, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt), monkeypatch.context() as context:
        context.setattr(Interrupter, "is_on", True)
        train(experiment, folder)


@pytest.mark.parametrize("name", ["model_state", "training_state"])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_damaged_checkpoint_is_skipped_for_the_previous_one(
    name: str,
    share: float,
    stock_experiment: Experiment,
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stock_experiment["trainer"]["checkpointer"] = {"save_every_num_batches": 2}
    interrupted(stock_experiment, tmp_path / "run", monkeypatch)
    newest = max((tmp_path / "run").glob(f"{name}_*.th"))
    newest.write_bytes(newest.read_bytes()[: int(newest.stat().st_size * share)])
    train(stock_experiment, tmp_path / "run", recover=True)
    log = (tmp_path / "run" / "out.log").read_text()
    assert "cannot be read" in log and "Using the previous one." in log
    assert_same(whole, tmp_path / "run")


def test_unreadable_checkpoints_are_reported(
    stock_experiment: Experiment, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for state in whole.glob("model_state_*.th"):
        state.write_bytes(b"")
    with pytest.raises(ConfigurationError, match="None of the . checkpoints in .*can be read.*--force"):
        train(stock_experiment, whole, recover=True)


@pytest.mark.parametrize("name", ["model_state_e2_b0.th", "training_state_e2_b0.th"])
def test_a_full_disk_is_named_and_the_run_continues_when_there_is_room(
    name: str, stock_experiment: Experiment, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no device that is always full")
    interrupted(stock_experiment, tmp_path / "run", monkeypatch)
    (tmp_path / "run" / f"{name}.unfinished").symlink_to("/dev/full")
    with pytest.raises(ConfigurationError, match=f"The disk is full: .*{name} cannot be written.*--recover"):
        train(stock_experiment, tmp_path / "run", recover=True)
    assert not list((tmp_path / "run").glob("*.unfinished"))
    train(stock_experiment, tmp_path / "run", recover=True)
    assert_same(whole, tmp_path / "run")


def test_after_ctrl_c_the_user_is_told_how_to_resume_and_the_run_resumes(
    stock_experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    stock_experiment["trainer"]["callbacks"] = ["interrupter"]
    (tmp_path / "config.json").write_text(json.dumps(stock_experiment))

    def run(folder: str, *options: str) -> None:
        command = ["allennlp", "train", str(tmp_path / "config.json"), "-s", str(tmp_path / folder), *options]
        monkeypatch.setattr(sys, "argv", command)
        commands.main("allennlp")

    run("whole")
    with pytest.raises(SystemExit) as ended, monkeypatch.context() as context:
        context.setattr(Interrupter, "is_on", True)
        run("run")
    message = capfd.readouterr().err
    assert ended.value.code == 130 and "command with --recover" in message and "Traceback" not in message
    run("run", "--recover")
    assert_same(tmp_path / "whole", tmp_path / "run")
