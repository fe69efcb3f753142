"""Lines of the table, alone and as printed by a run."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.training import GradientDescentTrainer, TrainerCallback

from ner_zoo.platform.epoch_history import Epoch, best
from ner_zoo.training.epoch_table import EpochTable, table


def cells(line: str) -> list[str]:
    return line.split()


def test_a_line_has_the_figures_under_their_names() -> None:
    validation = {"loss": 2.5, "entity_precision": 0.5, "entity_recall": 1.0, "entity_f1": 2 / 3}
    header, line = table([Epoch(0, 3.25, validation, True, 0.001, 61.04)])
    assert len(header) == len(line.removesuffix("  *"))
    assert cells(line) == ["1", "3.250", "2.500", "50.00", "100.00", "66.67", "0.001", "61.0", "*"]
    ends = [header.index(name) + len(name) for name in ("training loss", "recall", "F1", "seconds")]
    assert [line[:end].split()[-1] for end in ends] == ["3.250", "100.00", "66.67", "61.0"]


def test_a_loss_that_explodes_stays_in_its_column() -> None:
    header, line = table([Epoch(0, 3e32, {"loss": 1e6}, False, 0.001, 1.0)])
    assert len(line.rstrip()) <= len(header) and cells(line)[:3] == ["1", "3e+32", "1000000.000"]


def test_columns_are_those_that_a_model_has() -> None:
    joint = {"loss": 1.0, "entity_f1": 0.5, "relation_f1": 0.25, "relation_precision": 0.3}
    assert "relation F1" in table([Epoch(0, 1.0, joint)])[0]
    assert "typing accuracy" in table([Epoch(0, 1.0, {"typing_accuracy": 0.5})])[0]
    header, line = table([Epoch(0, 1.0, {"f1-measure-overall": 0.123456})], tracked=[(1.0, "f1-measure-overall")])
    assert "f1-measure-overall" in header and "0.1235" in line and "recall" not in header


def test_an_epoch_without_validation_has_empty_cells() -> None:
    lines = table([Epoch(0, 1.0, {"loss": 2.0, "entity_f1": 0.5}, True), Epoch(1, 0.5)])
    assert cells(lines[2]) == ["2", "0.500", "0.0"]


def test_the_best_epoch_is_the_last_that_was_better_than_all_before() -> None:
    epochs = [Epoch(0, is_best=True), Epoch(1, is_best=True), Epoch(2)]
    assert [line.endswith("*") for line in table(epochs)] == [False, True, True, False]
    assert [line.endswith("*") for line in table(epochs, only_best=True)] == [False, False, True, False]
    assert best(epochs) == epochs[1] and best([Epoch(0)]) is None


def test_only_the_first_process_of_several_prints(capsys: pytest.CaptureFixture) -> None:
    EpochTable("").on_epoch(None, {"training_loss": 1.0}, epoch=0, is_primary=False)  # type: ignore[arg-type]
    assert capsys.readouterr().out == ""


class Stopped(BaseException):
    """Nothing catches it, like a real kill."""


@TrainerCallback.register("stopper")
class Stopper(TrainerCallback):
    at: int | None = None

    def on_batch(self, trainer: GradientDescentTrainer, *_: Any, is_training: bool, **__: Any) -> None:
        if is_training and trainer._total_batches_completed == self.at:
            raise Stopped


def lines_of(experiment: dict[str, Any], folder: Path, capsys: pytest.CaptureFixture, recover: bool) -> list[list[str]]:
    """The lines that a run prints, without headers, seconds and stars."""
    capsys.readouterr()
    with suppress(Stopped):
        train_model(Params(json.loads(json.dumps(experiment))), str(folder), recover=recover)
    return figures(capsys.readouterr().out)


def figures(text: str) -> list[list[str]]:
    return [cells(line)[:5] for line in text.splitlines() if line[:6].strip().isdigit()]


def test_a_recovered_run_prints_the_lines_it_would_have_printed(
    stock_experiment: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    stock_experiment["trainer"].update(
        callbacks=["stopper"],
        checkpointer={"save_every_num_batches": 4},
        learning_rate_scheduler={"type": "exponential", "gamma": 0.5},
    )
    whole = lines_of(stock_experiment, tmp_path / "whole", capsys, recover=False)
    # In the second of three epochs with eight batches each.
    Stopper.at = 14
    begun = lines_of(stock_experiment, tmp_path / "stopped", capsys, recover=False)
    Stopper.at = None
    ended = lines_of(stock_experiment, tmp_path / "stopped", capsys, recover=True)
    assert [line[4] for line in whole[:3]] == ["0.02", "0.01", "0.005"]
    assert (begun, ended) == (whole[:1], whole[1:])
    assert figures((tmp_path / "stopped" / "out.log").read_text().rpartition("Epochs (*")[2]) == whole
