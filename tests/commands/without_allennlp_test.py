"""`allennlp predict`, `annotate` and `serve` with an export, in processes that find no torch, AllenNLP or spaCy."""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from ner_zoo.commands.without_allennlp import parser
from ner_zoo_hook import LIGHT_COMMANDS
from tests.light.random_models import is_close, random_export, random_predictor
from tests.trained_models import ROOT, demo_texts

# Python runs it at the start of every process, workers included.
NOT_INSTALLED = """
from importlib.machinery import PathFinder
find = PathFinder.find_spec
missing = {packages}
PathFinder.find_spec = lambda name, *rest: None if name.partition(".")[0] in missing else find(name, *rest)
"""
LARGE = ("torch", "allennlp", "allennlp_models", "spacy", "transformers", "numba", "scipy", "onnx", "rich", "sklearn")


def environment(folder: Path, *more: str) -> dict[str, str]:
    (folder / "sitecustomize.py").write_text(NOT_INSTALLED.format(packages=(*LARGE, *more)))
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


def allennlp(folder: Path, *words: str, missing: tuple[str, ...] = (), text: str = "") -> Any:
    command = [sys.executable, "-c", "from ner_zoo_hook import main; main()", *words]
    return subprocess.run(
        command, input=text, capture_output=True, text=True, cwd=folder, env=environment(folder, *missing)
    )


@pytest.fixture
def export(tmp_path: Path) -> str:
    random_export("joint").write(str(tmp_path / "model.ner"))
    return "model.ner"


def expected(texts: list[str]) -> list[Any]:
    return json.loads(json.dumps(random_predictor("joint").predict_all([{"text": text} for text in texts])))


def test_predict_and_annotate_write_what_the_model_says_in_torch(export: str, tmp_path: Path) -> None:
    texts = demo_texts()[:6]
    (tmp_path / "in.txt").write_text("".join(f"{text}\n" for text in texts))
    predicted = allennlp(tmp_path, "predict", export, "in.txt", "--output-file", "copy.jsonl")
    assert (tmp_path / "copy.jsonl").read_text() == predicted.stdout, predicted.stderr
    annotated = allennlp(tmp_path, "annotate", export, "in.txt", "-o", "out.jsonl", "--workers", "1")
    assert annotated.returncode == 0, annotated.stderr
    for written in (predicted.stdout, (tmp_path / "out.jsonl").read_text()):
        assert is_close([json.loads(line) for line in written.splitlines()], expected(texts))
    piped = allennlp(
        tmp_path, "predict", export, "-", "--predictor-args", '{"top_k": 2}', text='{"text": "Ada", "id": 7}'
    )
    assert len(json.loads(piped.stdout)["taggings"]) == 2 and json.loads(piped.stdout)["id"] == 7


def test_serve_answers_what_the_model_says_in_torch(export: str, tmp_path: Path) -> None:
    text = demo_texts()[0]
    command = [sys.executable, "-c", "from ner_zoo_hook import main; main()", "serve", export, "--port", "0"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path), **pipes) as process:
        try:
            address = process.stdout.readline().split()[-1]
            answer = answer_of(f"{address.rstrip('/')}/predict", {"text": text})
            assert is_close(answer, expected([text])[0])
            assert "textarea" in httpx.get(address).text
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)


def answer_of(address: str, body: dict[str, str]) -> Any:
    """The response of a service that may still be starting."""
    for _ in range(600):
        try:
            answer = httpx.post(address, json=body)
            if answer.status_code == 200:
                return answer.json()
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise AssertionError("the service did not start")


def test_the_entry_point_lists_the_commands_that_work_without_allennlp() -> None:
    (commands,) = [action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)]
    assert tuple(commands.choices) == LIGHT_COMMANDS


def test_help_and_errors_say_what_is_possible_here(export: str, tmp_path: Path) -> None:
    assert "annotate" in allennlp(tmp_path).stdout and "annotate" in allennlp(tmp_path, "--help").stdout
    assert "--rows-per-part" in allennlp(tmp_path, "annotate", "--help").stdout
    cases = {
        ("train", "config.jsonnet"): "pip install --no-deps allennlp==2.10.1",
        ("predict", "wnut17", "-"): "allennlp export",
        ("predict", "no.ner", "-"): "There is no export no.ner",
        ("annotate", "no.ner", "in.txt", "-o", "o.jsonl"): "There is no export no.ner",
        ("annotate", export, "in.txt", "-o", "o.json", "--format", "doccano"): "--format requires AllenNLP",
        ("predict", export, "nope.txt"): "There is no file nope.txt. Pass a file of JSON lines or plain text",
        ("predict", export, "."): ". is a folder. Pass a file",
        ("predict", export, "-", "--silent"): "--silent without --output-file",
    }
    for words, message in cases.items():
        failed = allennlp(tmp_path, *words)
        assert failed.returncode == 1 and message in failed.stderr and "Traceback" not in failed.stderr, words


@pytest.mark.parametrize("words", [("predict",), ("annotate", "-o", "o.jsonl"), ("serve",)])
def test_without_onnxruntime_the_command_to_install_it_is_named(export: str, tmp_path: Path, words: Any) -> None:
    files = [export] if words[0] == "serve" else [export, "in.txt"]
    (tmp_path / "in.txt").write_text("Ada\n")
    failed = allennlp(tmp_path, words[0], *files, *words[1:], missing=("onnxruntime",))
    assert failed.returncode == 1 and "Traceback" not in failed.stderr
    assert "Run: pip install" in failed.stderr


def test_ner_zoo_light_can_be_imported_without_onnxruntime(export: str, tmp_path: Path) -> None:
    code = "from ner_zoo.light import load\ntry:\n load('model.ner')\nexcept Exception as error:\n print(error)"
    command = [sys.executable, "-c", code]
    finished = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env=environment(tmp_path, "onnxruntime")
    )
    assert finished.stdout.startswith("An exported model needs packages that are not installed. Run: pip")
