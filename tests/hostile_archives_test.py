"""Hostile archives, opened by every command: nothing is written, started or requested, and the user gets an error."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
import spacy
from allennlp import commands
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive

from ner_zoo import load
from ner_zoo.analysis.evaluated_model import EvaluatedModel
from ner_zoo.commands.inspect import inspect_from_args
from ner_zoo.training.hub_folder import CardDetails, write_hub_folder
from tests.hostile_archives import (
    HOSTILE,
    ONLY_EVALUATED,
    Scene,
    many_members,
    members_of,
    module_of_current_folder,
    name_of,
    pickle_as_weights,
    pickle_for_the_data_loader,
)
from tests.trained_models import tagger_archive  # noqa: F401

TEST = str(Path("fixtures/demo/test.jsonl").absolute())
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
STARTING = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty")
CHANGING = ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.symlink", "os.link", "os.truncate")


class Recorder:
    """Everything that this process does outside one folder, according to Python's audit events."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.inside: tuple[str, ...] = ()
        self.is_on = False
        sys.addaudithook(self.hook)

    def hook(self, event: str, arguments: Any) -> None:
        if not self.is_on:
            return
        is_connection = event == "socket.connect" and not isinstance(arguments[1], str)
        is_lookup = event == "socket.getaddrinfo" and arguments[0] not in ("127.0.0.1", "localhost", None)
        if event in STARTING or is_connection or is_lookup:
            self.seen.append(f"{event} {arguments!r}")
        elif isinstance(arguments[0] if arguments else None, (str, bytes)) and (
            event in CHANGING or (event == "open" and arguments[2] & WRITING)
        ):
            path = self.path(event, arguments)
            is_new = event != "os.mkdir" or not os.path.exists(path)
            if is_new and not path.startswith((*self.inside, os.devnull)) and "__pycache__" not in path:
                self.seen.append(f"{event} {path}")

    @contextmanager
    def recording(self, *inside: Path) -> Iterator[None]:
        self.seen, self.inside, self.is_on = [], tuple(map(str, inside)), True
        try:
            yield
        finally:
            self.is_on = False

    def path(self, event: str, arguments: Any) -> str:
        folder = arguments[-1] if event in ("os.mkdir", "os.remove", "os.rmdir") else -1
        parent = os.readlink(f"/proc/self/fd/{folder}") if folder != -1 else os.getcwd()
        return os.path.normpath(os.path.join(parent, os.fsdecode(arguments[0])))


@pytest.fixture(scope="module")
def recorder(tagger_archive: Path) -> Recorder:  # noqa: F811
    load(str(tagger_archive))  # triggers everything that is written on first use
    return Recorder()


@pytest.fixture
def scene(tagger_archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:  # noqa: F811
    folder = tmp_path / "folder"
    for name in ("folder", "temporary", "out"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])
    monkeypatch.chdir(folder)
    sys.modules.pop("evilmod", None)
    return Scene(members_of(tagger_archive), folder, str(tmp_path / "harm"))


def command_lines(archive: str, out: Path) -> dict[str, list[str]]:
    lines = out / "in.jsonl"
    lines.write_text(json.dumps({"text": "Ada Lovelace lived in London."}) + "\n")
    return {
        "evaluate": ["evaluate", archive, TEST],
        "predict": ["predict", archive, str(lines), "--output-file", str(out / "out.jsonl"), "--silent"],
        "serve": ["serve", archive, "--port", "0"],
        "annotate": ["annotate", archive, str(lines), "-o", str(out / "annotated.jsonl"), "--workers", "0"],
        "suggest": ["suggest", archive, str(lines), "-o", str(out / "next.jsonl"), "--workers", "0"],
        "analyze": ["analyze", archive, TEST, "-o", str(out / "report")],
        "export": ["export", archive, "-o", str(out / "model.ner")],
    }


@pytest.fixture(scope="module")
def opened_by(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Callable[[Path, Path], Any]]]:
    """Every way to open an archive, each as a function of the archive and an output folder."""
    out = tmp_path_factory.mktemp("commands")
    ways: dict[str, Callable[[Path, Path], Any]] = {
        "load": lambda archive, _: load(str(archive)),
        "spaCy": lambda archive, _: pipeline(archive)("Ada Lovelace lived in London."),
    }
    with pytest.MonkeyPatch.context() as patch:
        for command, line in command_lines("ARCHIVE", out).items():
            patch.setattr(sys, "argv", ["allennlp", *line])
            parsed = commands.parse_args("allennlp")[1]
            ways[command] = lambda archive, out_now, parsed=parsed: run(parsed, archive, out, out_now)
    yield ways


def pipeline(archive: Path) -> spacy.Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("ner_zoo", config={"archive": str(archive)})
    return nlp


def run(parsed: argparse.Namespace, archive: Path, out: Path, out_now: Path) -> None:
    def filled_in(value: Any) -> Any:
        if isinstance(value, list):
            return [filled_in(one) for one in value]
        return (
            value.replace("ARCHIVE", str(archive)).replace(str(out), str(out_now)) if isinstance(value, str) else value
        )

    (out_now / "in.jsonl").write_text((out / "in.jsonl").read_text())
    filled = argparse.Namespace(**{name: filled_in(value) for name, value in vars(parsed).items()})
    filled.func(filled)


@pytest.mark.parametrize("build", HOSTILE, ids=name_of)
def test_a_hostile_archive_does_nothing_and_is_refused_with_a_message(
    build: Callable[[Scene], Path],
    opened_by: dict[str, Callable[[Path, Path], Any]],
    scene: Scene,
    recorder: Recorder,
    tmp_path: Path,
) -> None:
    archive = build(scene)
    temporary, out = tmp_path / "temporary", tmp_path / "out"
    for command, open_archive in opened_by.items():
        is_used = command == "evaluate" or name_of(build) not in ONLY_EVALUATED
        if not is_used and command in ("analyze", "serve"):
            continue
        with (
            recorder.recording(temporary, out),
            pytest.raises(ConfigurationError) if is_used else nullcontext() as caught,
        ):
            open_archive(archive, out)
        assert not os.path.exists(scene.harm) and "evilmod" not in sys.modules, command
        assert not recorder.seen, command
        assert not list(temporary.iterdir()), command
        assert caught is None or "evil.tar.gz" in str(caught.value), command
        assert caught is None or reason_of(build) in str(caught.value), command


def reason_of(build: Any) -> str:
    """The required message, if another problem of the archive would also be refused."""
    return {
        "name_on_the_hub": "'nobody/nothing', which is not on this machine. Pass --allow-downloads",
        "encoder_of_this_machine": "tiny_encoder, which is outside the archive",
        "encoder_in_the_current_folder": "names encoder, which is outside the archive",
        "pipeline_of_spacy_in_the_current_folder": "names pipeline, which is outside the archive",
        "command_of_a_metric": "model.evalb_directory_path names",
        "folder_for_a_cache": "dataset_reader.image_dir names",
        "many_processes": "num_workers is 100000",
        "deep_folders": "deep",
        "large_config": "config.json is larger than",
        "compressed_weights": "its weights are compressed",
    }.get(name_of(build), "")


@pytest.mark.parametrize("command", ["evaluate", "predict", "serve", "annotate", "analyze"])
def test_a_command_ends_with_a_message_and_no_traceback(
    command: str,
    scene: Scene,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    archive = module_of_current_folder("model")(scene)
    line = command_lines(str(archive), tmp_path / "out")[command]
    monkeypatch.setattr(sys, "argv", ["allennlp", *line])
    with pytest.raises(SystemExit, match="1"):
        commands.main("allennlp")
    message = capfd.readouterr().err
    assert f"{archive} is refused" in message and "--include-package evilmod" in message and "Traceback" not in message


@pytest.mark.parametrize("command", ["evaluate", "serve"])
def test_a_real_process_does_nothing_either(command: str, scene: Scene, tmp_path: Path) -> None:
    archive = pickle_for_the_data_loader(scene)
    line = command_lines(str(archive), tmp_path / "out")[command]
    run = [sys.executable, "-m", "allennlp", *line]
    ended = subprocess.run(run, capture_output=True, text=True, cwd=scene.folder, timeout=200)
    assert ended.returncode == 1 and "Traceback" not in ended.stderr
    assert "evil.tar.gz is refused" in ended.stderr and not os.path.exists(scene.harm)


def test_the_same_model_without_harm_is_opened_by_every_command(
    scene: Scene, opened_by: dict[str, Callable[[Path, Path], Any]], tmp_path: Path
) -> None:
    archive = scene.with_config(lambda config: None)
    for command in ("load", "evaluate", "predict", "annotate"):
        opened_by[command](archive, tmp_path / "out")
    assert load_archive(archive).config["model"]["type"] == "tagger"


def test_a_config_of_the_user_continues_from_a_hostile_archive_as_safely(scene: Scene, tmp_path: Path) -> None:
    archive = pickle_as_weights(scene)
    config = json.loads(scene.members["config.json"])
    config["model"] = {"type": "from_archive", "archive_file": str(archive)}
    with pytest.raises(ConfigurationError, match="evil.tar.gz are refused"):
        train_model(Params(config), str(tmp_path / "run"))
    assert not os.path.exists(scene.harm)


@pytest.mark.parametrize(
    "change",
    [
        {"validation_data_loader": {"batch_size": -1}},
        {"validation_data_loader": {"batch_sampler": {"type": "bucket", "batch_size": "many"}}},
        {"validation_data_loader": "large"},
        {"evaluation": {"type": "simple", "batch_serializer": {"type": "missing"}}},
        {"evaluation": {"type": "simple", "num_batches": 3}},
        {"evaluation": "simple"},
        {"evaluation": [1]},
    ],
    ids=str,
)
def test_what_is_built_after_the_archive_was_opened_is_refused_without_a_traceback_too(
    change: dict[str, Any], scene: Scene, opened_by: dict[str, Callable[[Path, Path], Any]], tmp_path: Path
) -> None:
    archive = scene.with_config(lambda config: config.update(change))
    with pytest.raises(ConfigurationError):
        opened_by["evaluate"](archive, tmp_path / "out")


def test_compare_goes_on_from_a_hostile_archive_as_safely(scene: Scene, tmp_path: Path) -> None:
    archive = pickle_as_weights(scene)
    config = json.loads(scene.members["config.json"])
    config["model"] = {"type": "from_archive", "archive_file": str(archive)}
    (tmp_path / "evil.json").write_text(json.dumps(config))
    line = ["compare", str(tmp_path / "evil.json"), "--seeds", "1", "-s", str(tmp_path / "runs")]
    run = [sys.executable, "-m", "allennlp", *line]
    ended = subprocess.run(run, capture_output=True, text=True, cwd=scene.folder, timeout=200)
    assert ended.returncode == 1 and "Traceback" not in ended.stderr
    assert "evil.tar.gz are refused" in ended.stdout + ended.stderr and not os.path.exists(scene.harm)


def test_an_archive_is_not_a_corpus(scene: Scene, recorder: Recorder, tmp_path: Path) -> None:
    archive = pickle_as_weights(scene)
    with recorder.recording(tmp_path / "out"), pytest.raises(ConfigurationError, match="a trained model"):
        inspect_from_args(argparse.Namespace(reader="auto", reader_params="{}", file=[str(archive)], json=False))
    assert not recorder.seen and not os.path.exists(scene.harm)


@pytest.mark.parametrize("path", ["/**", "own"])
def test_training_data_that_a_stranger_names_is_not_looked_for(path: str, scene: Scene, tmp_path: Path) -> None:
    if path == "own":  # a file of the user's, which could be read
        path = shutil.copy(TEST, tmp_path / "own.jsonl")
    archive = scene.with_config(lambda config: config.update(train_data_path=str(path)))
    forms, reason = EvaluatedModel.load(str(archive)).seen_forms()
    assert forms is None and f"{path} is named by an archive that you did not train" in reason and "--train" in reason


def test_a_folder_for_the_hub_is_not_left_half_written(scene: Scene, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="evil.tar.gz is refused: it contains more than 1,000 files"):
        write_hub_folder(str(many_members(scene)), str(tmp_path / "hub"), CardDetails())
    assert not (tmp_path / "hub").exists() and not list((tmp_path / "temporary").iterdir())
