import multiprocessing
from pathlib import Path
from typing import Any

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk.output_lock import output_lock


def test_an_output_is_locked_once_and_the_lock_leaves_nothing_behind(tmp_path: Path) -> None:
    output = str(tmp_path / "out.jsonl")
    with (
        output_lock(output),
        pytest.raises(ConfigurationError, match="Another process is writing"),
        output_lock(output),
    ):
        pass
    assert list(tmp_path.iterdir()) == []
    Path(output + ".lock").touch()  # left by a killed process
    with output_lock(output):
        pass


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(ConfigurationError, match="no folder .*nowhere for the output"),
        output_lock(f"{tmp_path}/nowhere/a"),
    ):
        pass


def count_up(output: str, rounds: int) -> None:
    counter = Path(output)
    done = 0
    while done < rounds:
        try:
            with output_lock(output):
                counter.write_text(str(int(counter.read_text()) + 1))
                done += 1
        except ConfigurationError:
            continue


def test_processes_that_lock_and_unlock_all_the_time_are_never_in_at_once(tmp_path: Path) -> None:
    output = tmp_path / "counter"
    output.write_text("0")
    context: Any = multiprocessing.get_context("fork")
    processes = [context.Process(target=count_up, args=(str(output), 200)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert output.read_text() == "600"
