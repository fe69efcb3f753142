"""
A new user's first hour: every command and every line of Python on the first pages, pasted verbatim into a fresh clone,
one page after the other; and the demo.

Differences from the pages: `.venv` is the environment of the tests, so nothing is installed; training is cut to one
epoch and one seed; corpora come from a local server; and a service is stopped after its page has been opened.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ner_zoo.data.catalogue import find
from ner_zoo.data.download import HOST_VARIABLE
from tests.commands.corpus_test import Repository
from tests.docs_pages import DOCS, ROOT, Block, blocks
from tests.real_corpora import DATA, needs_corpora

README, QUICK_START = ROOT / "README.md", DOCS / "quick_start.md"
# Done when the environment of the tests was set up, tested below, or these tests themselves.
LEFT_OUT = re.compile(r"^(pip install|make) .*", re.MULTILINE)
SAVED_AS = re.compile(r"Save this as `([\w.]+)`:\n\n$")
SERVE = """
rm -f served.txt
{command} > served.txt 2>&1 &
until grep -qs http:// served.txt; do kill -0 $! || {{ cat served.txt; exit 1; }}; sleep 0.2; done
curl -sf --retry 300 --retry-delay 1 --retry-all-errors "$(grep -o 'http://[^ ]*' served.txt | head -1)" > page.html
kill $! && wait $! || true
"""


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that are committed, or about to be."""
    folder = tmp_path_factory.mktemp("clone")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


@pytest.fixture(scope="module")
def environment(clone: Path):
    """The environment of a new shell, with the corpora of this machine."""
    files = find("wnut17").files()
    server = Repository({file.sources[0]: (DATA / file.path).read_bytes() for file in files})
    kept = {name: value for name, value in os.environ.items() if name != "NER_ZOO_DATA"}
    yield {**kept, "PYTHONPATH": str(clone), HOST_VARIABLE: server.address}
    server.shutdown()
    server.server_close()


def script(page: Path) -> str:
    """The shell blocks of a page in order, and its Python and configs used as the page says."""
    text = page.read_text(encoding="utf-8")
    lines = ["set -e"]
    for block in blocks(page):
        before = text[: text.index(block.text)].rpartition("```")[0]
        name = SAVED_AS.search(before)
        if name:
            lines.append(f"cat > {name[1]} <<'END'\n{block.text}END")
        elif block.language == "python":
            lines.append(f"python - <<'END'\n{block.text}END")
        elif block.language == "":
            lines.append(pasted(block))
    return "\n".join(lines)


def pasted(block: Block) -> str:
    return re.sub(r"^allennlp (train|compare|serve) .*$", shortened, LEFT_OUT.sub("", block.text), flags=re.MULTILINE)


def shortened(command: re.Match[str]) -> str:
    line = command[0].partition("  #")[0].rstrip()
    if command[1] == "serve":
        return SERVE.format(command=re.sub(r"--port \d+", "--port 0", line))
    line = re.sub(r"--seeds \d+", "--seeds 1", line)
    once = "{trainer+: {num_epochs: 1}}"
    given = re.search(r' -o "(.*)"$', line)
    return f'{line[: given.start()]} -o "{given[1]} + {once}"' if given else f'{line} -o "{once}"'


def run(text: str, folder: Path, environment: dict[str, str]) -> str:
    (folder / "pasted.sh").write_text(text)
    finished = subprocess.run(
        ["bash", "pasted.sh"], cwd=folder, env=environment, text=True, capture_output=True, timeout=1500
    )
    assert finished.returncode == 0, f"{finished.stdout[-3000:]}\n{finished.stderr[-3000:]}"
    return finished.stdout + finished.stderr


@needs_corpora
def test_the_first_pages_work_as_pasted(clone: Path, environment: dict[str, str]) -> None:
    shown = run(script(README), clone, environment)
    predictions = [json.loads(line) for line in shown.splitlines() if line.startswith('{"text"')]
    example = next(block for block in blocks(README) if block.language == "json")
    assert set(json.loads(example.text)) <= set(predictions[0])
    assert [one["type"] for one in predictions[0]["entities"]] == ["person", "location"]
    assert "train.jsonl as prodigy" in shown and "Traceback" not in shown
    assert "<title>" in (clone / "page.html").read_text()
    assert (clone / "annotated.jsonl.gz").exists() and (clone / "runs/first/compare.md").exists()

    shutil.rmtree(clone / "out")
    (clone / "page.html").unlink()
    shown = run(script(QUICK_START), clone, environment)
    assert "licence: CC BY 4.0" in shown and "checksums match" in shown and "Traceback" not in shown
    assert "<title>" in (clone / "page.html").read_text()
    [config] = [block.text for block in blocks(QUICK_START) if block.language == "jsonnet"]
    assert (clone / "training_config/demo.jsonnet").read_text().endswith(config)


def test_the_demo_prints_less_than_a_page_and_no_wrong_entity(clone: Path) -> None:
    # An existing file as the marker that .venv is set up: make must not change .venv.
    finished = subprocess.run(
        ["make", "demo", "RUN=.venv/pyvenv.cfg"],
        cwd=clone,
        env={**os.environ, "PYTHONPATH": str(clone)},
        text=True,
        capture_output=True,
        timeout=900,
    )
    assert finished.returncode == 0, finished.stderr[-3000:]
    assert len((finished.stdout + finished.stderr).splitlines()) <= 55, "set-up needs five of the sixty lines"
    for name, right in RIGHT.items():
        lines = (clone / "out" / "demo" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        found = [[(one["text"], one["type"]) for one in json.loads(line)["entities"]] for line in lines]
        assert found == right


def test_set_up_prints_a_dot_as_soon_as_pip_says_something(clone: Path) -> None:
    rule = "dots: ; @{ echo Collecting torch; sleep 60; } | { $(DOTS); }"
    command = ["make", "--no-print-directory", "--eval", rule, "dots"]
    with subprocess.Popen(command, cwd=clone, stdout=subprocess.PIPE, start_new_session=True) as process:
        try:
            assert process.stdout is not None and process.stdout.read(1) == b"." and process.poll() is None
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def test_set_up_shows_the_errors_of_pip_and_keeps_its_warnings_to_itself(clone: Path) -> None:
    rule = "wrong: ; @$(PIP) --no-index --find-links /no/such/folder no-such-package"
    command = ["make", "--eval", rule, "COMPLAINTS=complaints.txt", "wrong"]
    finished = subprocess.run(command, cwd=clone, text=True, capture_output=True)
    assert finished.returncode != 0
    assert "ERROR: No matching distribution found for no-such-package" in finished.stderr
    assert "WARNING" not in finished.stderr and "WARNING" in (clone / "complaints.txt").read_text()


RIGHT: dict[str, list[list[tuple[str, str]]]] = {
    "raw": [
        [("Ada Lindqvist", "PER"), ("Nordhaven", "LOC"), ("Borealis Labs", "ORG")],
        [("Falcon 7 Pro", "PROD"), ("Umbra & Sons", "ORG"), ("Nova X", "PROD")],
        [("Zora Okafor", "PER"), ("Meridian Works", "ORG"), ("Emil Brandt", "PER"), ("San Torello", "LOC")],
        [],
    ],
    "everyday": [
        [("Sarah", "person"), ("Boston", "location"), ("Texas", "location")],
        [("Emma Watson", "person"), ("Paris", "location")],
        [("Lionel Messi", "person"), ("Facebook", "corporation")],
        [("Tom Hanks", "person"), ("New York City", "location")],
        [],
    ],
}
