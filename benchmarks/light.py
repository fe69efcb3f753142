"""
An exported model compared with the same model in torch: words per second, and processor time until the first answer.
"""

import os
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.contest import CONTESTS, contest
from benchmarks.demo_models import our_archive, texts
from benchmarks.startup import seconds
from benchmarks.temporary import temporary_folder
from benchmarks.throughput import Throughput
from ner_zoo.exporting.export import exported
from ner_zoo.light import load_predictor as load_export
from ner_zoo.predictors.loading import load_predictor
from ner_zoo.predictors.text_predictor import TextPredictor

ROUNDS = 5
WNUT17 = Path("wnut17") / "emerging.dev.conll"
FIRST_ANSWER = "from {module} import load; load({path!r})('Ada Lovelace lived in London.')"


@cache
def export() -> str:
    path = str(temporary_folder() / "model.ner")
    exported(load_predictor(our_archive())).write(path)
    return path


def real_texts() -> list[str]:
    """The sentences of WNUT-17's dev file, if available: real texts have words that other texts do not have."""
    for folder in (os.environ.get("NER_ZOO_DATA", "data"), Path(__file__).parents[2] / "shared" / "data"):
        path = Path(folder) / WNUT17
        if path.exists():
            blocks = path.read_text(encoding="utf-8").replace("\n\t\n", "\n\n").split("\n\n")
            return [" ".join(line.split("\t")[0] for line in block.splitlines()) for block in blocks]
    return texts()


def side_by_side(inputs: list[dict[str, str]], at_once: int, peer: str) -> Throughput:
    """The same texts through both models, this many at a time."""
    parts = [inputs[first : first + at_once] for first in range(0, len(inputs), at_once)]

    def work(predictor: TextPredictor) -> int:
        return sum(len(output["tokens"]) for part in parts for output in predictor.predict_all(part))

    ours, theirs = load_export(export()), load_predictor(our_archive())
    return Throughput(lambda: work(ours), lambda: work(theirs), peer)


@contest("light_predict")
def light_predict() -> Throughput:  # type: ignore[return-value]
    """One text at a time, as in an interactive program."""
    inputs = [{"text": text} for text in real_texts()[:200]]
    return side_by_side(inputs, 1, "the same model in torch, text by text")


@contest("light_bulk")
def light_bulk() -> Throughput:  # type: ignore[return-value]
    """All texts at once, sorted into large batches."""
    inputs = [{"text": text} for text in real_texts()]
    return side_by_side(inputs, len(inputs), "the same model in torch, in large batches")


class LightStartup:
    """Measured in separate processes."""

    def run(self, is_quick: bool) -> dict[str, Any]:
        light = FIRST_ANSWER.format(module="ner_zoo.light", path=export())
        full = FIRST_ANSWER.format(module="ner_zoo", path=our_archive())
        ours = theirs = float("inf")
        for _ in range(2 if is_quick else ROUNDS):
            theirs, ours = min(theirs, seconds("-c", full)), min(ours, seconds("-c", light))
        peer = "ner_zoo.load, to a first answer"
        ratio = round(theirs / ours, 2)
        return {"ours": round(ours, 3), "theirs": round(theirs, 3), "ratio": ratio, "unit": "s", "peer": peer}


CONTESTS["light_startup"] = LightStartup
