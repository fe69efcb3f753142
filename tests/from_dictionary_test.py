"""The walk from a dictionary to a model works as its page says; with fewer epochs and folds."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs_pages import DOCS, ROOT
from tests.first_hour_test import script

PAGE = DOCS / "from_dictionary.md"


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which every block of the page was pasted."""
    folder = tmp_path_factory.mktemp("walk")
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    text = script(PAGE)
    for before, after in (("num_epochs: 8", "num_epochs: 3"), ("--folds 3", "--folds 2 --jobs 1")):
        assert before in text
        text = text.replace(before, after)
    # The shortening of the first pages, to one epoch, would leave nothing to clean.
    text = text.replace(' + {trainer+: {num_epochs: 1}}"', '"').replace(' -o "{trainer+: {num_epochs: 1}}"', "")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    finished = subprocess.run(["bash", "-c", text], cwd=folder, env=environment, text=True, capture_output=True)
    assert finished.returncode == 0, f"{finished.stdout[-3000:]}\n{finished.stderr[-3000:]}"
    return folder


def test_every_step_leaves_what_the_page_says(walked: Path) -> None:
    for file in ("weak/model.tar.gz", "clean/clean.html", "clean/cleaned.jsonl", "cleaned/model.tar.gz"):
        assert (walked / "runs" / file).exists()


def test_cleaning_adds_names_that_no_list_has_and_most_of_them_are_names(walked: Path) -> None:
    lines = (ROOT / "fixtures/demo/train.jsonl").read_text(encoding="utf-8").splitlines()
    gold = {
        (entity["type"], " ".join(record["tokens"][entity["start"] : entity["end"]]))
        for record in map(json.loads, lines)
        for entity in record["entities"]
    }
    listed = {line for file in (ROOT / "fixtures/demo/names").iterdir() for line in file.read_text().splitlines()}
    changes = [json.loads(line) for line in (walked / "runs/clean/changes.jsonl").open(encoding="utf-8")]
    added = [one["proposal"] for one in changes if one["kind"] == "missing" and one["outcome"] == "applied"]
    assert added and all(one["text"] not in listed for one in added)
    assert sum((one["type"], one["text"]) in gold for one in added) > len(added) / 2
