"""
Runs one task in a separate process with its own log and its share of the cores.

On Linux the process is forked from this one, which has imported everything and computed nothing: it starts immediately
instead of after ten seconds of imports. Any crash becomes an exit status, and the kernel reports the resources used.
The process ends when its parent does, however that ends, and a second process with the same log waits for it.
"""

import fcntl
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

POLL_SECONDS = 0.2
GRACE_SECONDS = 5.0
# Outside Linux, imported libraries do not survive a fork.
METHOD = "fork" if sys.platform.startswith("linux") else "spawn"
THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


@dataclass(frozen=True)
class Usage:
    """Resources used by a process and its children; memory is the peak of a single process."""

    wall_seconds: float
    cpu_seconds: float
    peak_memory_mb: float

    @classmethod
    def of(cls, resources: Any, wall_seconds: float) -> "Usage":
        kilobytes = resources.ru_maxrss / (1 if sys.platform.startswith("linux") else 1024)
        return cls(wall_seconds, resources.ru_utime + resources.ru_stime, kilobytes / 1024)


@dataclass(eq=False)
class WorkerProcess:
    """
    function, arguments : the task; picklable.
    log : file to which its output is appended.
    threads : number of cores it may use.
    """

    function: Callable[..., None]
    arguments: tuple[Any, ...]
    log: Path
    threads: int = 1
    started: float = field(default=0.0, init=False)
    pid: int = field(default=0, init=False)

    def start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.started = time.time()
        process = multiprocessing.get_context(METHOD).Process(  # type: ignore[attr-defined]
            target=_run_in_child, args=(self.function, self.arguments, str(self.log), self.threads, os.getpid())
        )
        process.start()
        assert process.pid is not None
        self.pid = process.pid

    def ended(self) -> tuple[int, Usage] | None:
        """The exit status (negative: the signal that ended it) and resources used; `None` while it is running."""
        pid, status, resources = os.wait4(self.pid, os.WNOHANG)
        if pid == 0:
            return None
        return os.waitstatus_to_exitcode(status), Usage.of(resources, time.time() - self.started)

    def stop(self) -> tuple[int, Usage]:
        """Terminates the process and its children: first SIGTERM, then SIGKILL."""
        for signal_number, patience in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, 60.0)):
            _signal_group(self.pid, signal_number)
            deadline = time.time() + patience
            while time.time() < deadline:
                ended = self.ended()
                if ended is not None:
                    _signal_group(self.pid, signal.SIGKILL)  # any remaining children
                    return ended
                time.sleep(0.05)
        raise RuntimeError(f"Process {self.pid} cannot be terminated. See its log, {self.log}.")


def _signal_group(pid: int, signal_number: int) -> None:
    for send in (os.killpg, os.kill):  # the group does not exist in the first moments
        try:
            send(pid, signal_number)
            return
        except (ProcessLookupError, PermissionError):
            continue


def _run_in_child(
    function: Callable[..., None], arguments: tuple[Any, ...], log: str, threads: int, parent: int
) -> None:
    """Runs in the new process."""
    # Its own group: Ctrl-C goes to the parent, which handles it.
    os.setsid()
    for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signal_number, signal.SIG_DFL)
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()
    _redirect_output(log)
    _use_threads(threads)
    function(*arguments)


def _redirect_output(log: str) -> None:
    """Redirects all output to the log, which stays locked while this process lives."""
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    fcntl.lockf(file, fcntl.LOCK_EX)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", buffering=1, encoding="utf-8", errors="replace")  # type: ignore
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", buffering=1, encoding="utf-8", errors="replace")  # type: ignore
    root = logging.getLogger()
    root.handlers.clear()
    logging.basicConfig(
        stream=sys.stderr, format="%(asctime)s - %(levelname)s - %(name)s - %(message)s", level=logging.INFO
    )


def _use_threads(threads: int) -> None:
    for variable in THREAD_VARIABLES:
        os.environ[variable] = str(threads)
    import torch

    torch.set_num_threads(threads)
    from threadpoolctl import threadpool_limits

    threadpool_limits(threads)


def _exit_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)
    os.killpg(0, signal.SIGKILL)
