"""An archive is the user's own as long as its config is the one that the user's training wrote."""

import json
import stat
from pathlib import Path

import pytest

from ner_zoo.platform.archive_origin import key_file, sign
from ner_zoo.platform.archives import archive_config, copy_archive, is_own_archive
from tests.hostile_archives import members_of, pack


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text("{}")
    return tmp_path / "run"


def test_a_signed_folder_is_the_users_until_its_config_changes(folder: Path) -> None:
    assert not is_own_archive(folder)
    sign(folder)
    assert is_own_archive(folder)
    (folder / "config.json").write_text('{"model": {}}')
    assert not is_own_archive(folder)


def test_a_signature_of_another_user_is_ignored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder.parent / "another"))
    assert not is_own_archive(folder)


def test_only_the_user_can_read_the_key(folder: Path) -> None:
    sign(folder)
    assert stat.S_IMODE(key_file().stat().st_mode) == 0o600 and len(key_file().read_bytes()) == 32
    assert [path.name for path in key_file().parent.iterdir()] == [key_file().name]


def test_without_a_place_for_a_key_nothing_is_the_users(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/dev/null")
    sign(folder)
    assert not (folder / "origin").exists() and not is_own_archive(folder)


def test_training_signs_its_archive_and_a_copy_that_the_user_makes(stock_run: Path, tmp_path: Path) -> None:
    archive = stock_run / "model.tar.gz"
    assert is_own_archive(archive) and is_own_archive(stock_run)
    config = archive_config(archive)
    config["model"]["dropout"] = 0.0
    copy_archive(archive, tmp_path / "copy.tar.gz", config)
    assert is_own_archive(tmp_path / "copy.tar.gz")
    members = members_of(archive)
    stranger = pack(tmp_path / "stranger.tar.gz", {**members, "config.json": json.dumps(config).encode()})
    assert not is_own_archive(stranger)
