"""
Arguments shared by commands that use several processes: for the rows of a file (`annotate`, `suggest`), or for training
runs (`compare`, `clean`). Imports nothing of AllenNLP.
"""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.platform.pretrained import no_such_archive

if TYPE_CHECKING:
    from ner_zoo.bulk import local_engine, ray_engine
    from ner_zoo.bulk.worker import WorkerSettings
    from ner_zoo.experiments.schedule import Engine

TOOLS = "label_studio, doccano, prodigy, brat, docbin, argilla"


def add_engine_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--engine", choices=("local", "ray"), default="local", help="local processes, or Ray")
    add("--ray-address", help="address of a running Ray cluster, e.g. auto (default: start one locally)")


def check_engine(arguments: argparse.Namespace) -> None:
    if arguments.ray_address and arguments.engine != "ray":
        raise ConfigurationError("--ray-address requires --engine ray. Pass both or neither.")


def add_row_arguments(parser: argparse.ArgumentParser, done: str) -> None:
    """done : what happens to rows, such as written."""
    add = parser.add_argument
    add("--format", default="", metavar="TOOL", help=f"write pre-annotations for {TOOLS}")
    add_engine_arguments(parser)
    add("--workers", type=int, default=os.cpu_count(), help="number of worker processes (default: one per core)")
    add(
        "--rows-per-part",
        type=int,
        default=1000,
        help=f"rows {done} at once; an interrupted run loses at most this many per worker",
    )
    add("--cuda-device", type=int, default=-1, help="GPU id (default: CPU); with Ray, 0 gives each worker one GPU")
    add("--overwrite", action="store_true", help="discard existing output and start over")


def check_rows(
    arguments: argparse.Namespace, needs_torch: bool = True, missing: Callable[[str], str] = no_such_archive
) -> None:
    """missing : what to say of a model that does not exist."""
    check_engine(arguments)
    if arguments.workers < 0:
        raise ConfigurationError(f"--workers is {arguments.workers}. Pass 1 or more, or 0 to run in this process.")
    if not os.path.exists(arguments.archive_file):
        raise ConfigurationError(missing(arguments.archive_file))
    if arguments.engine == "local" and needs_torch:
        from allennlp.common.checks import check_for_gpu

        check_for_gpu(arguments.cuda_device)


def row_engine(
    arguments: argparse.Namespace, settings: "WorkerSettings", make_worker: Callable[..., Any] | None = None
) -> "local_engine.LocalEngine | ray_engine.RayEngine":
    """make_worker : creates a worker from the settings (default: one that annotates)."""
    from ner_zoo.bulk.local_engine import LocalEngine
    from ner_zoo.bulk.ray_engine import RayEngine
    from ner_zoo.bulk.worker import Worker

    if arguments.engine == "ray":
        return RayEngine(settings, arguments.workers, arguments.ray_address, make_worker or Worker)
    return LocalEngine(settings, arguments.workers, make_worker or Worker)


def print_complete(arguments: argparse.Namespace) -> None:
    print(f"{arguments.output} is already complete. To start over, pass --overwrite.")


def add_run_arguments(parser: argparse.ArgumentParser, runs: str) -> None:
    """runs : what is trained, such as models."""
    add = parser.add_argument
    add("-s", "--serialization-dir", type=Path, required=True, help=f"folder for {runs} and results")
    add("-o", "--overrides", default="", help="overrides as in allennlp train")
    add("--jobs", type=int, help=f"number of {runs} trained in parallel (default: one per core)")
    add_engine_arguments(parser)
    add("--rerun-changed", action="store_true", help=f"retrain if config or data changed, and keep the old {runs}")


def check_runs(arguments: argparse.Namespace) -> None:
    check_engine(arguments)
    if arguments.jobs is not None and arguments.jobs < 1:
        raise ConfigurationError(f"--jobs is {arguments.jobs}. Pass 1 or more.")
    if arguments.serialization_dir.is_file():
        raise ConfigurationError(f"{arguments.serialization_dir} is a file. Pass a folder with -s.")


def run_engine(arguments: argparse.Namespace, configs: list[dict[str, Any]]) -> "Engine":
    """configs : one for each run."""
    from ner_zoo.experiments.ray_engine import RayEngine
    from ner_zoo.experiments.schedule import LocalEngine
    from ner_zoo.platform.threads import cores, threads_for

    jobs = min(arguments.jobs or cores(), len(configs))
    threads = threads_for(configs, jobs)
    return RayEngine(jobs, arguments.ray_address, threads) if arguments.engine == "ray" else LocalEngine(jobs, threads)


@contextlib.contextmanager
def resumable(watch: Any, engine: "Engine") -> Iterator[None]:
    """Closes both at the end. An interruption ends the command, which can be repeated."""
    try:
        yield
    except KeyboardInterrupt:
        print("\nInterrupted. Run the same command again to resume.", file=sys.stderr)
        sys.exit(130)
    finally:
        watch.close()
        engine.close()
