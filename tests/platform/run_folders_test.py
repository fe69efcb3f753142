"""Only the folder of a run that failed in its first epoch is used again."""

import fcntl
import logging
import os
from pathlib import Path

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training.util import create_serialization_dir


@pytest.fixture
def failed(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    (folder / "vocabulary").mkdir(parents=True)
    for name in ("config.json", "meta.json", "out.log", "vocabulary/labels.txt"):
        (folder / name).write_text("{}")
    return folder


def create(folder: Path, recover: bool = False, force: bool = False) -> None:
    create_serialization_dir(Params({}), folder, recover, force)


def test_a_run_that_did_not_finish_an_epoch_is_overwritten(failed: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        create(failed)
    assert list(failed.iterdir()) == []
    assert f"{failed} contains a run that did not finish its first epoch. Overwriting it." in caplog.text


@pytest.mark.parametrize("name", ["metrics_epoch_0.json", "model_state_e0_b50.th", "model.tar.gz", "notes.txt"])
def test_a_folder_with_anything_worth_keeping_is_kept(name: str, failed: Path) -> None:
    (failed / name).write_text("")
    with pytest.raises(
        ConfigurationError, match="resume its run with --recover, or delete it and start over with --force"
    ):
        create(failed)
    assert (failed / name).exists() and (failed / "config.json").exists()


def test_a_folder_without_a_config_is_kept(failed: Path) -> None:
    (failed / "config.json").unlink()
    with pytest.raises(ConfigurationError, match="already exists"):
        create(failed)
    assert (failed / "meta.json").exists()


def test_a_run_that_is_in_its_first_epoch_is_kept(failed: Path) -> None:
    running = os.open(failed, os.O_RDONLY)
    fcntl.flock(running, fcntl.LOCK_SH)
    with pytest.raises(ConfigurationError, match="already exists"):
        create(failed)
    os.close(running)
    assert (failed / "config.json").exists()
    create(failed)
    assert list(failed.iterdir()) == []


def test_a_run_locks_its_folder(tmp_path: Path) -> None:
    create(tmp_path / "run")
    other = os.open(tmp_path / "run", os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(other)


def test_force_and_recover_work_as_before(failed: Path) -> None:
    create(failed, recover=True)
    assert (failed / "meta.json").exists()
    create(failed, force=True)
    assert list(failed.iterdir()) == []
