"""The examples run as described on their page, with the promised results."""

import re
import subprocess
import sys

import pytest

from tests.docs_pages import ROOT

EXAMPLES = ROOT / "examples"


def run(name, folder):
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), str(folder)], capture_output=True, text=True, cwd=folder, timeout=900
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_nrces_finds_more_than_cross_entropy_where_annotations_are_missing(tmp_path):
    said = run("noisy_labels.py", tmp_path)
    recall = {name: float(value) for name, value in re.findall(r"(cross_entropy|nrces) +recall ([\d.]+)", said)}
    assert recall["nrces"] > recall["cross_entropy"] + 5


def test_the_place_inside_the_organisation_is_found(tmp_path):
    said = run("nested_from_brat.py", tmp_path)
    assert re.search(r"ORG  University of Osmere", said) and re.search(r"LOC  Osmere", said)


def test_the_service_answers_with_a_relation(tmp_path):
    said = run("relations_served.py", tmp_path)
    assert re.search(r"Keystone Systems --makes--> Nova Max", said)


def test_every_example_is_on_the_page():
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    scripts = {path.name for path in EXAMPLES.glob("*.py")} - {"steps.py"}
    assert scripts == set(re.findall(r"`(\w+\.py)`", page))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_examples_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 90
