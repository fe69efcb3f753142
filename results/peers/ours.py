"""
A config of this repository, trained like the other tools.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ner_zoo import load
from ner_zoo.annotation import Sentence
from ner_zoo.api import AnnotatedText
from results.comparison import ROOT
from results.peers.corpus import Files, Found


def train(files: Files, folder: Path, seed: int) -> Path:
    config = ROOT / "training_config" / f"{files.config}.jsonnet"
    seeds = json.dumps(dict.fromkeys(("random_seed", "numpy_seed", "pytorch_seed"), seed))
    command = ["allennlp", "train", str(config), "-s", str(folder / "run"), "-o", seeds]
    subprocess.run([sys.executable, "-m", *command], check=True)
    return folder / "run" / "model.tar.gz"


class Tagger:
    def __init__(self, model: Path) -> None:
        self.model = load(str(model))

    def __call__(self, sentences: Sequence[Sentence]) -> list[Found]:
        return [entities(text) for text in self.model.pipe([list(sentence.tokens) for sentence in sentences])]


def entities(text: AnnotatedText) -> Found:
    """With token indices instead of character offsets."""
    tokens = text.to_dict()["tokens"]
    first = {token["start"]: place for place, token in enumerate(tokens)}
    after = {token["end"]: place + 1 for place, token in enumerate(tokens)}
    return {(first[entity.start], after[entity.end], entity.type) for entity in text.entities}
