"""A run shows a picture, a bar with the score, figures of every type, and TensorBoard on request."""

import io
import json
import logging
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from PIL import Image

from ner_zoo.platform.epoch_history import Epoch
from ner_zoo.training.training_curve import TrainingCurve, picture
from tests.trained_models import ROOT


def train(folder: Path, **trainer: Any) -> dict[str, Any]:
    overrides = {
        "dataset_reader.view": "tags",
        "train_data_path": str(ROOT / "fixtures/demo/dev.jsonl"),
        "validation_data_path": str(ROOT / "fixtures/demo/dev.jsonl"),
        **{f"trainer.{name}": value for name, value in trainer.items()},
    }
    train_model(Params.from_file(str(ROOT / "training_config/demo.jsonnet"), json.dumps(overrides)), str(folder))
    return json.loads((folder / "metrics.json").read_text())


class Terminal(io.StringIO):
    """Where bars are shown."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    """The folder of a run with TensorBoard, its metrics, and the texts of its bars."""
    folder = tmp_path_factory.mktemp("curve") / "run"
    shown = Terminal()
    with redirect_stderr(shown), pytest.MonkeyPatch.context() as patch:
        patch.setattr("ner_zoo.platform.screen.is_verbose", lambda: True)  # a bar is not removed
        metrics = train(folder, num_epochs=2, callbacks=["tensorboard"])
    return folder, metrics, shown.getvalue()


def test_the_picture_is_in_the_folder_of_the_run(run: tuple[Path, dict[str, Any], str]) -> None:
    with Image.open(run[0] / "training_curve.png") as image:
        assert image.format == "PNG" and image.width > 1000
        assert len(image.convert("RGB").getcolors(1 << 24)) > 50
    assert not list(run[0].glob("*.unfinished"))


def test_the_bar_of_an_evaluation_shows_entity_f1(run: tuple[Path, dict[str, Any], str]) -> None:
    assert f"entity_f1: {run[1]['validation_entity_f1']:.4f}" in run[2]


def test_metrics_have_the_figures_of_every_type(run: tuple[Path, dict[str, Any], str]) -> None:
    for type in ("LOC", "ORG", "PER", "PROD"):
        for figure in ("precision", "recall", "f1"):
            assert 0 <= run[1][f"validation_entity_{figure}/{type}"] <= 1
            assert f"best_validation_entity_{figure}/{type}" in run[1]


def test_tensorboard_gets_the_figures(run: tuple[Path, dict[str, Any], str]) -> None:
    events = {name: next((run[0] / "log" / name).glob("events*")).read_bytes() for name in ("train", "validation")}
    assert b"entity_f1/PER" in events["validation"] and b"loss" in events["train"]


def test_a_picture_that_cannot_be_drawn_is_only_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "training_curve.png").mkdir()
    curve = TrainingCurve(str(tmp_path))
    curve.epochs, curve._is_stale = [Epoch(0, 1.0)], True
    with caplog.at_level(logging.WARNING):
        curve.on_end(Trainer(), metrics={})  # type: ignore[arg-type]
    assert "training_curve.png; training continues" in caplog.text


class Trainer:
    """The attributes of a trainer that the callback uses."""

    class _metric_tracker:
        tracked_metrics = [(1.0, "entity_f1")]


def test_a_fresh_picture_is_not_drawn_again_before_the_end(tmp_path: Path) -> None:
    curve = TrainingCurve(str(tmp_path), seconds=3600)
    curve.on_epoch(Trainer(), {"training_loss": 1.0}, epoch=0)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
    curve.on_end(Trainer(), metrics={})  # type: ignore[arg-type]
    first = (tmp_path / "training_curve.png").read_bytes()
    curve.seconds = 0
    curve.on_epoch(Trainer(), {"training_loss": 0.5}, epoch=1)  # type: ignore[arg-type]
    assert (tmp_path / "training_curve.png").read_bytes() != first


@pytest.mark.parametrize("epochs", [[Epoch(0)], [Epoch(0, 1.0), Epoch(1, float("nan"), {"loss": 2.0})]])
def test_runs_of_which_little_is_known_are_drawn(epochs: list) -> None:
    assert picture(epochs, "entity_f1").startswith(b"\x89PNG")
