"""Whole runs with a trained model: the result, restarts, SIGKILL, and Ray."""

import io
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

import pytest
from allennlp.common.checks import ConfigurationError
from pytest import approx

from ner_zoo.bulk.local_engine import LocalEngine
from ner_zoo.bulk.progress import Progress
from ner_zoo.bulk.ray_engine import RayEngine
from ner_zoo.bulk.run import Task, annotate
from ner_zoo.bulk.worker import Worker
from ner_zoo.predictors.line import read_line
from tests.commands.predict_test import parsed
from tests.trained_models import ROOT, demo_texts

LINES: list[bytes] = [
    *(json.dumps({"id": number, "text": text}).encode() for number, text in enumerate(demo_texts()[:30])),
    b"",
    b"{broken",
    b'{"text": 5, "id": "x"}',
    b"\xff",
    b"A line of plain text about Edda Abernathy.",
]


@pytest.fixture
def input_file(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"\n".join(LINES) + b"\n")
    return path


@pytest.fixture(scope="module")
def expected(tagger_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The output of `allennlp predict` for each line, with the line's own fields."""
    source, output = (tmp_path_factory.mktemp("predict") / name for name in ("in.jsonl", "out.jsonl"))
    source.write_bytes(b"\n".join(LINES) + b"\n")
    arguments = parsed(["predict", str(tagger_archive), str(source), "--output-file", str(output), "--silent"])
    arguments.func(arguments)
    outputs = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    given = [read_line(line, number) for number, line in enumerate(LINES, start=1)]
    assert len(outputs) == len(given)
    return [{**line, **output} for line, output in zip(given, outputs)]


def assert_same(path: Path, expected: list[dict[str, Any]]) -> None:
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert len(rows) == len(expected)
    for row, other in zip(rows, expected):
        assert list(row) == list(other)
        for found, known in zip(row.get("entities", ()), other.get("entities", ())):
            assert found.pop("score") == approx(known["score"], abs=1e-4)
            assert found == {key: value for key, value in known.items() if key != "score"}
        bare = [{key: value for key, value in side.items() if key != "entities"} for side in (row, other)]
        assert bare[0] == bare[1] and len(row.get("entities", ())) == len(other.get("entities", ()))


def test_a_run_gives_every_row_its_prediction_and_can_be_interrupted(
    tagger_archive, input_file, tmp_path, expected
) -> None:
    task = Task(str(tagger_archive), str(input_file), str(tmp_path / "out.jsonl"), rows_per_part=4)

    interrupted(task, parts=3)
    assert len(list((tmp_path / "out.jsonl.parts").glob("*.jsonl"))) == 3 and not (tmp_path / "out.jsonl").exists()
    progress = Progress(stream=io.StringIO())
    assert annotate(task, LocalEngine(task.worker_settings(), 0), progress)
    assert progress.rows == len(LINES) - 12 and progress.errors == 3
    assert_same(tmp_path / "out.jsonl", expected)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl", "out.jsonl.run.json"]
    assert not annotate(task, LocalEngine(task.worker_settings(), 0), progress)


def interrupted(task: Task, parts: int) -> None:
    """A run that stops after some parts."""

    class Interrupted(LocalEngine):
        def run(self, chunks):
            for number, annotated in enumerate(super().run(chunks)):
                if number == parts:
                    raise KeyboardInterrupt
                yield annotated

    with pytest.raises(KeyboardInterrupt):
        annotate(task, Interrupted(task.worker_settings(), 0), Progress(stream=io.StringIO()))


def whole(task: Task, overwrite: bool = False) -> bool:
    return annotate(task, LocalEngine(task.worker_settings(), 0), Progress(stream=io.StringIO()), overwrite)


def test_a_damaged_part_stops_the_run_and_is_made_again_once_it_is_removed(
    tagger_archive, input_file, tmp_path, expected
) -> None:
    task = Task(str(tagger_archive), str(input_file), str(tmp_path / "out.jsonl"), rows_per_part=4)
    interrupted(task, parts=3)
    part = tmp_path / "out.jsonl.parts" / "000000001.jsonl"
    part.write_bytes(part.read_bytes()[:-200])
    with pytest.raises(ConfigurationError, match="000000001.jsonl is damaged"):
        whole(task)
    assert not Path(task.output).exists()
    part.unlink()
    assert whole(task)
    assert_same(tmp_path / "out.jsonl", expected)


def test_a_part_that_vanishes_during_the_run_is_missed(tagger_archive, input_file, tmp_path) -> None:
    task = Task(str(tagger_archive), str(input_file), str(tmp_path / "out.jsonl"), rows_per_part=4)

    class Thief(LocalEngine):
        def run(self, chunks):
            yield from super().run(chunks)
            (tmp_path / "out.jsonl.parts" / "000000002.jsonl").unlink()

    with pytest.raises(ConfigurationError, match="000000002.jsonl is missing"):
        annotate(task, Thief(task.worker_settings(), 0), Progress(stream=io.StringIO()))
    assert not Path(task.output).exists()


def test_another_model_does_not_continue_a_run(tagger_archive, joint_archive, input_file, tmp_path) -> None:
    archive = tmp_path / "model.tar.gz"
    shutil.copy(tagger_archive, archive)
    task = Task(str(archive), str(input_file), str(tmp_path / "out.jsonl"), rows_per_part=4)
    interrupted(task, parts=3)
    settings = task.worker_settings()
    shutil.copy(joint_archive, archive)
    with pytest.raises(ConfigurationError, match="differs in: model"):
        whole(task)
    with pytest.raises(ConfigurationError, match="replaced by another model"):
        Worker(settings)
    assert whole(task, overwrite=True)
    assert any(json.loads(line).get("relations") for line in Path(task.output).read_bytes().splitlines())


def test_another_model_in_the_same_folder_does_not_continue_a_run(tagger_archive, input_file, tmp_path) -> None:
    folder = tmp_path / "model"
    with tarfile.open(tagger_archive) as tar:
        tar.extractall(folder, filter="data")
    task = Task(str(folder), str(input_file), str(tmp_path / "out.jsonl"), rows_per_part=4)
    interrupted(task, parts=2)
    labels = next((folder / "vocabulary").glob("*labels.txt"))
    before = labels.stat()
    labels.write_text(labels.read_text().replace("PER", "LOC", 1))
    os.utime(labels, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(ConfigurationError, match="differs in: model"):
        whole(task)


def test_another_input_of_the_same_size_and_time_does_not_continue_a_run(tagger_archive, input_file, tmp_path) -> None:
    task = Task(str(tagger_archive), str(input_file), str(tmp_path / "out.jsonl"), rows_per_part=4)
    interrupted(task, parts=3)
    seen, content = input_file.stat(), input_file.read_bytes()
    input_file.write_bytes(content[::-1])
    os.utime(input_file, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    with pytest.raises(ConfigurationError, match="differs in: input"):
        whole(task)
    input_file.write_bytes(content)
    assert whole(task)


def test_an_input_that_changes_during_the_run_gives_no_output(tagger_archive, input_file, tmp_path) -> None:
    task = Task(str(tagger_archive), str(input_file), str(tmp_path / "out.jsonl"), rows_per_part=4)

    class Writing(LocalEngine):
        def run(self, chunks):
            yield from super().run(chunks)
            with input_file.open("ab") as file:
                file.write(b"One more line.\n")

    with pytest.raises(ConfigurationError, match="changed while it was in use"):
        annotate(task, Writing(task.worker_settings(), 0), Progress(stream=io.StringIO()))
    assert not Path(task.output).exists()


def test_workers_that_stop_early_are_an_error_and_not_the_end(tagger_archive, input_file, tmp_path) -> None:
    task = Task(str(tagger_archive), str(input_file), str(tmp_path / "out.jsonl"), rows_per_part=4)

    class Lazy(LocalEngine):
        def run(self, chunks):
            return iter([])

    with pytest.raises(ConfigurationError, match="stopped before the end"):
        annotate(task, Lazy(task.worker_settings(), 0), Progress(stream=io.StringIO()))


def test_overwrite_does_not_affect_a_running_run(tagger_archive, input_file, tmp_path, expected) -> None:
    task = Task(str(tagger_archive), str(input_file), str(tmp_path / "out.jsonl"), rows_per_part=4)

    class Slow(LocalEngine):
        def run(self, chunks):
            for annotated in super().run(chunks):
                yield annotated
                time.sleep(0.2)

    work = (task, Slow(task.worker_settings(), 0), Progress(stream=io.StringIO()))
    process = multiprocessing.get_context("fork").Process(target=annotate, args=work)
    process.start()
    parts = tmp_path / "out.jsonl.parts"
    while process.is_alive() and len(list(parts.glob("*.jsonl"))) < 3:
        time.sleep(0.01)
    other = Task(str(tagger_archive), str(input_file), task.output, 4, predictor_args={"threshold": 1.0})
    with pytest.raises(ConfigurationError, match="Another process is writing"):
        whole(other, overwrite=True)
    assert len(list(parts.glob("*.jsonl"))) >= 3
    process.join()
    assert process.exitcode == 0
    assert_same(tmp_path / "out.jsonl", expected)


def killed_while_it_works(process: Any, parts: Path, draw: random.Random) -> int:
    """Kills a process some time after it has written a few parts; returns the number of parts at that time."""
    enough = len(list(parts.glob("*.jsonl"))) + draw.randint(2, 15)
    while process.is_alive() and len(list(parts.glob("*.jsonl"))) < enough:
        time.sleep(0.001)
    time.sleep(draw.uniform(0, 0.02))
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    return len(list(parts.glob("*.jsonl")))


class Command:
    """The real command with a worker process, as a child process of this test."""

    def __init__(self, words: list[str]) -> None:
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "allennlp", *words]
        nowhere = subprocess.DEVNULL
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=nowhere, stderr=nowhere)
        self.pid = self._process.pid

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def join(self) -> None:
        self._process.wait()


def test_a_run_killed_at_random_moments_loses_and_repeats_nothing(tagger_archive, tmp_path) -> None:
    rows, rows_per_part, texts, draw = 6000, 5, demo_texts(), random.Random(5)
    source, output, parts = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "out.jsonl.parts"
    source.write_text("".join(json.dumps({"id": n, "text": texts[n % len(texts)]}) + "\n" for n in range(rows)))
    words = ["annotate", str(tagger_archive), str(source), "-o", str(output), "--rows-per-part", str(rows_per_part)]
    kept = [killed_while_it_works(Command([*words, "--workers", "1"]), parts, draw)]
    arguments = parsed([*words, "--workers", "0"])
    for _ in range(2):
        # A copy of this process, which has already imported everything.
        process = multiprocessing.get_context("fork").Process(target=slowly, args=(arguments,))
        process.start()
        kept.append(killed_while_it_works(process, parts, draw))
    assert kept == sorted(kept) and kept[0] > 0 and kept[-1] < rows / rows_per_part, "each was killed while it worked"
    arguments.func(arguments)
    assert [json.loads(line)["id"] for line in output.read_text().splitlines()] == list(range(rows))
    assert not parts.exists()


def slowly(arguments: Any) -> None:
    """Runs a command with a pause after each part, so that it is not over before it is killed."""
    run = LocalEngine.run

    def with_pauses(self: LocalEngine, chunks: Any) -> Any:
        for annotated in run(self, chunks):
            yield annotated
            time.sleep(0.01)

    LocalEngine.run = with_pauses  # type: ignore[method-assign]
    arguments.func(arguments)


def test_ray_with_two_workers_gives_what_predict_does_line_by_line(
    tagger_archive, input_file, tmp_path, expected
) -> None:
    task = Task(str(tagger_archive), str(input_file), str(tmp_path / "out.jsonl"), rows_per_part=6)
    assert annotate(task, RayEngine(task.worker_settings(), 2), Progress(stream=io.StringIO()))
    assert_same(tmp_path / "out.jsonl", expected)
