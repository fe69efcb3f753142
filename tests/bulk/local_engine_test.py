import json

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk import local_engine
from ner_zoo.bulk.local_engine import LocalEngine
from ner_zoo.bulk.sources import Chunk
from ner_zoo.bulk.worker import Recipe
from tests.bulk.workers import Refusing, Shouting

RECIPE = Recipe("", -1, {})


def chunks(rows: list[bytes], size: int) -> list[Chunk]:
    cuts = range(0, len(rows), size)
    made = [Chunk(number, first, rows[first : first + size], 0.5) for number, first in enumerate(cuts)]
    return [*made, Chunk(len(made), len(rows), [], 1.0)]


def test_without_workers_everything_is_done_here() -> None:
    done = list(LocalEngine(RECIPE, 0, Shouting).run(chunks([b"a\n", b"b\n", b"c\n"], 2)))
    assert [(one.number, one.lines) for one in done] == [(0, [b"A\n", b"B\n"]), (1, [b"C\n"]), (2, [])]


def test_a_row_that_kills_its_worker_becomes_an_error_and_no_other_is_lost() -> None:
    rows = [b"a\n", b"die\n", b"b\n", b"c\n"]
    done = {one.number: one for one in LocalEngine(RECIPE, 1, Shouting).run(chunks(rows, 2))}
    assert done[0].lines[0] == b"A\n" and done[1].lines == [b"B\n", b"C\n"] and done[2].lines == []
    record = json.loads(done[0].lines[1])
    assert record["text"] == "die" and record["line"] == 2 and "died" in record["error"] and done[0].errors == 1


def test_a_worker_that_cannot_be_made_is_an_error_and_not_one_of_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_engine, "_failure", None)
    # What a worker's process runs first must not fail: the pool would take that for a crash at the row to come.
    local_engine._start(RECIPE, Refusing)
    with pytest.raises(ConfigurationError, match="not there"):
        local_engine._work(Chunk(0, 0, [b"a\n"], 1.0))
