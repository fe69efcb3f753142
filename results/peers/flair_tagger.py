"""
flair's SequenceTagger: both files of vectors, character features, a BiLSTM and a CRF.

It runs in an environment of its own, because flair requires other versions of transformers:

    python -m venv flair && flair/bin/pip install "flair[word-embeddings]==0.15.1"
    FLAIR_PYTHON=flair/bin/python python -m results.peers wnut17 flair_tagger
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ner_zoo.annotation import Sentence
from results.peers.corpus import Files, Found, vectors
from results.peers.crf_tagger import tags_of

SCRIPT = Path(__file__).with_name("flair_script.py")
PYTHON = "FLAIR_PYTHON"


def train(files: Files, folder: Path, seed: int) -> Path:
    for split in ("train", "dev"):
        lines = map(rows, files.sentences(split))
        (folder / f"{split}.txt").write_text("".join(lines), encoding="utf-8")
    subprocess.run([python(), SCRIPT, "train", folder, str(seed), *vectors()], check=True)
    return folder / "run" / "best-model.pt"


def rows(sentence: Sentence) -> str:
    """One sentence with a token and its tag per line."""
    return "".join(f"{word}\t{tag}\n" for word, tag in zip(sentence.tokens, tags_of(sentence))) + "\n"


def python() -> str:
    if PYTHON not in os.environ:
        sys.exit(f"Set {PYTHON} to the python of an environment with flair; see {Path(__file__).name}.")
    return os.environ[PYTHON]


class Tagger:
    """Another process loads the model and answers line by line."""

    def __init__(self, model: Path) -> None:
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
        self.process = subprocess.Popen([python(), SCRIPT, "predict", model], **pipes)
        self.seconds = 0.0

    def __call__(self, sentences: Sequence[Sentence]) -> list[Found]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps([sentence.tokens for sentence in sentences]) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.seconds = answer["seconds"]
        return [{(start, end, kind) for start, end, kind in some} for some in answer["entities"]]
