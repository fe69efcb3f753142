import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk import local_engine
from ner_zoo.bulk.local_engine import LocalEngine
from ner_zoo.bulk.sources import Chunk
from ner_zoo.bulk.worker import WorkerSettings
from ner_zoo.platform.archives import archive_config, copy_archive
from tests.bulk.workers import Refusing, Shouting
from tests.trained_models import ROOT

SETTINGS = WorkerSettings("", -1, {})


def chunks(rows: list[bytes], size: int) -> list[Chunk]:
    cuts = range(0, len(rows), size)
    made = [Chunk(number, first, rows[first : first + size], 0.5) for number, first in enumerate(cuts)]
    return [*made, Chunk(len(made), len(rows), [], 1.0)]


def test_without_workers_everything_is_done_here() -> None:
    done = list(LocalEngine(SETTINGS, 0, Shouting).run(chunks([b"a\n", b"b\n", b"c\n"], 2)))
    assert [(one.number, one.lines) for one in done] == [(0, [b"A\n", b"B\n"]), (1, [b"C\n"]), (2, [])]


def test_a_row_that_kills_its_worker_becomes_an_error_and_no_other_is_lost() -> None:
    rows = [b"a\n", b"die\n", b"b\n", b"c\n"]
    done = {one.number: one for one in LocalEngine(SETTINGS, 1, Shouting).run(chunks(rows, 2))}
    assert done[0].lines[0] == b"A\n" and done[1].lines == [b"B\n", b"C\n"] and done[2].lines == []
    record = json.loads(done[0].lines[1])
    assert record["text"] == "die" and record["line"] == 2 and "died" in record["error"] and done[0].errors == 1


def test_a_worker_that_cannot_be_made_is_an_error_and_not_one_of_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_engine, "_failure", None)
    # Code that runs first in a worker must not fail: the pool would treat that as a crash on the next row.
    local_engine._start(SETTINGS, Refusing)
    with pytest.raises(ConfigurationError, match="not there"):
        local_engine._work(Chunk(0, 0, [b"a\n"], 1.0))


SCRIPT = """
import allennlp.__main__
from tests.bulk.local_engine_test import SETTINGS, LocalEngine, chunks
from tests.bulk.workers import Logging

if __name__ == "__main__":
    assert len(list(LocalEngine(SETTINGS, 1, Logging).run(chunks([b"a"], 1)))) == 2
"""


@pytest.mark.parametrize("level", ["", "INFO"])
def test_workers_of_a_script_that_turns_on_the_log_show_it_only_on_request(tmp_path: Path, level: str) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ALLENNLP_")}
    environment |= {"PYTHONPATH": str(ROOT), **({"ALLENNLP_LOG_LEVEL": level} if level else {})}
    command = [sys.executable, str(tmp_path / "script.py")]
    finished = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert finished.returncode == 0 and "a problem" in finished.stderr
    assert ("a detail" in finished.stderr) == bool(level), finished.stderr


TOKENIZER = """
from allennlp.data.tokenizers import LettersDigitsTokenizer, Tokenizer

@Tokenizer.register("of_user")
class OfUser(LettersDigitsTokenizer):
    pass
"""


def test_workers_import_the_packages_that_the_user_includes(
    tagger_archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "parts_of_user.py").write_text(TOKENIZER)
    monkeypatch.chdir(tmp_path)
    config = archive_config(tagger_archive)
    config["dataset_reader"]["tokenizer"] = {"type": "of_user"}
    copy_archive(tagger_archive, tmp_path / "model.tar.gz", config)
    settings = WorkerSettings(str(tmp_path / "model.tar.gz"), -1, {}, packages=("parts_of_user",))
    done = {one.number: one for one in LocalEngine(settings, 1).run(chunks([b"Ada Lovelace lived in London.\n"], 1))}
    assert [token["text"] for token in json.loads(done[0].lines[0])["tokens"]][-2:] == ["London", "."]
