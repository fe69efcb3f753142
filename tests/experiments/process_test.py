import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ner_zoo.experiments.process import Usage, WorkerProcess


def finished(work: WorkerProcess) -> tuple[int, Usage]:
    ended: tuple[int, Usage] | None = None
    while ended is None:
        time.sleep(0.02)
        ended = work.ended()
    return ended


def done(function: Callable[..., None], log: Path, *arguments: Any) -> tuple[int, Usage]:
    work = WorkerProcess(function, arguments, log)
    work.start()
    return finished(work)


def speak() -> None:
    print("to the one")
    print("to the other", file=sys.stderr)
    os.system("echo of a command")


def compute(megabytes: int) -> None:
    content = b"x" * (megabytes * 2**20)
    deadline = time.process_time() + 0.3
    while time.process_time() < deadline:
        pass
    assert content


def crash(how: str) -> None:
    if how == "exception":
        raise ValueError("it went wrong")
    if how == "exit":
        sys.exit(3)
    os.kill(os.getpid(), signal.SIGKILL)


def wait_long(file: str) -> None:
    Path(file).write_text(str(os.getpid()))
    time.sleep(600)


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def test_output_is_appended_to_the_log(tmp_path: Path) -> None:
    log = tmp_path / "new" / "log"
    for _ in range(2):
        assert done(speak, log)[0] == 0
    assert log.read_text().splitlines() == ["to the one", "to the other", "of a command"] * 2


def test_the_seconds_and_the_memory_are_those_of_the_process(tmp_path: Path) -> None:
    little, much = (done(compute, tmp_path / "log", megabytes)[1] for megabytes in (1, 100))
    assert little.cpu_seconds >= 0.3 and little.wall_seconds >= 0.3
    assert 70 < much.peak_memory_mb - little.peak_memory_mb < 130


@pytest.mark.parametrize(("how", "status"), [("exception", 1), ("exit", 3), ("signal", -signal.SIGKILL)])
def test_a_crash_is_an_exit_status(tmp_path: Path, how: str, status: int) -> None:
    assert done(crash, tmp_path / "log", how)[0] == status
    assert how != "exception" or "ValueError: it went wrong" in (tmp_path / "log").read_text()


def threads_to(file: str) -> None:
    import torch

    Path(file).write_text(f"{torch.get_num_threads()} {os.environ['OMP_NUM_THREADS']}")


def test_it_has_the_given_number_of_threads(tmp_path: Path) -> None:
    work = WorkerProcess(threads_to, (str(tmp_path / "threads"),), tmp_path / "log", threads=3)
    work.start()
    assert finished(work)[0] == 0
    assert (tmp_path / "threads").read_text() == "3 3"


def test_it_is_stopped_with_its_children(tmp_path: Path) -> None:
    work = WorkerProcess(start_another, (str(tmp_path / "pid"),), tmp_path / "log")
    work.start()
    wait_for(tmp_path / "pid")
    status, usage = work.stop()
    assert status != 0 and usage.wall_seconds > 0
    other = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 10
    while is_alive(other) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_alive(other) and not is_alive(work.pid)


def start_another(file: str) -> None:
    multiprocessing.get_context("fork").Process(target=wait_long, args=(file,)).start()
    time.sleep(600)


def start_and_wait(file: str, log: str) -> None:
    WorkerProcess(wait_long, (file,), Path(log)).start()
    time.sleep(600)


def test_it_ends_when_its_parent_is_killed_and_another_one_with_its_log_waits_for_that(tmp_path: Path) -> None:
    log = tmp_path / "log"
    parent = multiprocessing.get_context("fork").Process(target=start_and_wait, args=(str(tmp_path / "pid"), str(log)))
    parent.start()
    wait_for(tmp_path / "pid")
    child = int((tmp_path / "pid").read_text())
    assert is_alive(child)
    parent.kill()
    parent.join()
    assert done(note_life, log, child, str(tmp_path / "seen"))[0] == 0
    assert (tmp_path / "seen").read_text() == "dead"


def note_life(pid: int, file: str) -> None:
    Path(file).write_text("alive" if is_alive(pid) else "dead")
