"""The output of a command, with and without `-v`."""

import io
import json
import logging
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from allennlp import commands
from allennlp.common import Tqdm
from allennlp.common.logging import prepare_global_logging

from ner_zoo.platform.screen import NOTE

Capture = pytest.CaptureFixture[str]
LOGGER = logging.getLogger("some.library")


@pytest.fixture(autouse=True)
def logging_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    root = logging.getLogger()
    handlers, level, hook = root.handlers[:], root.level, sys.excepthook
    monkeypatch.setattr(warnings, "formatwarning", warnings.formatwarning)
    for name in ("ALLENNLP_LOG_LEVEL", "ALLENNLP_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    root.handlers[:] = []
    with warnings.catch_warnings():
        yield
    logging.captureWarnings(False)
    root.handlers[:], sys.excepthook = handlers, hook
    root.setLevel(level)


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr("allennlp.commands.import_plugins", lambda: None)
    monkeypatch.setattr(sys, "argv", ["allennlp", *words])
    commands.main(prog="allennlp")


def train(experiment: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    (folder / "config.json").write_text(json.dumps(experiment))
    run(monkeypatch, "train", str(folder / "config.json"), "-s", str(folder / "run"), *words)


def test_training_shows_the_table_and_where_the_model_is_and_logs_the_rest(
    stock_experiment: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    stock_experiment["trainer"].update(num_epochs=2, patience=5)
    train(stock_experiment, tmp_path, monkeypatch)
    shown, errors = capsys.readouterr()
    lines = shown.splitlines()
    assert lines[0].split()[0] == "epoch" and [line.split()[0] for line in lines[1:3]] == ["1", "2"]
    assert len(lines) == 4 and "model.tar.gz" in lines[3] and "out.log" in lines[3]
    assert errors == ""
    log = (tmp_path / "run" / "out.log").read_text()
    assert " - INFO - " in log and "Epoch" in log


def test_the_log_is_shown_on_the_screen_on_request(
    stock_experiment: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    monkeypatch.setenv("ALLENNLP_LOG_LEVEL", "INFO")  # restored after the test, whatever -v sets
    monkeypatch.delenv("ALLENNLP_LOG_LEVEL")
    stock_experiment["trainer"]["num_epochs"] = 1
    train(stock_experiment, tmp_path, monkeypatch, "-v")
    shown = "".join(capsys.readouterr())
    assert shown.count(" - INFO - ") > 50 and "100%" in shown


def test_warnings_are_one_line_on_standard_error_and_those_of_libraries_are_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    prepare_global_logging(str(tmp_path))
    with pytest.raises(SystemExit):
        run(monkeypatch, "--version")
    capsys.readouterr()
    LOGGER.info("a detail")
    LOGGER.warning("a %s", "problem")
    LOGGER.warning("good to know", extra=NOTE)
    LOGGER.warning("You provided a validation dataset but patience was set to None, meaning that it trains to the end")
    warnings.warn("look out")
    warnings.warn_explicit("not yours", UserWarning, "torch/nn.py", 1, module="torch.nn")
    warnings.warn("old", FutureWarning)
    shown, errors = capsys.readouterr()
    assert (shown, errors) == ("", "Warning: a problem\ngood to know\nWarning: look out\n")
    log = (tmp_path / "out.log").read_text()
    assert "a detail" in log and "look out" in log and "patience" in log


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "is_shown"), [(Terminal(), True), (io.StringIO(), False)])
def test_bars_are_shown_on_terminals_only(stream: io.StringIO, is_shown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    for _ in Tqdm.tqdm(range(3), mininterval=0):
        pass
    assert ("3/3" in stream.getvalue()) == is_shown
    assert stream.getvalue().rpartition("\r")[2].strip() == ""
