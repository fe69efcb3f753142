"""
New types without forgetting: CoNLL04 with two types first and the other two later.

    python -m results.extend_types --seeds 1 -o docs/results/extend_types.json

All training sentences are used three times: with the two old types annotated (the old model), with the two new ones
(what `use.extend` trains on), and with all four (joint training, for comparison). Epochs and rates are fixed
beforehand, and the best epoch is chosen on the dev file, which has all types.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.params import evaluate_snippet

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.span_json import SpanJsonWriter
from ner_zoo.predictors.document import Document
from ner_zoo.predictors.loading import open_predictor
from results.comparison import data

OLD, NEW = ("Peop", "Org"), ("Loc", "Other")
TAGGER = "use.tagger + use.glove + use.characters(dim=16, filters=10) + use.bilstm(64, 0.2, 0.3) + use.crf + use.nll"
WAYS = {
    "unknown": "use.extend('{old}', epochs=8, rate=0.002)",
    "unknown, old predictions from 0.9": "use.extend('{old}', predictions=0.9, epochs=8, rate=0.002)",
    "old predictions from 0.5, else O": "use.extend('{old}', predictions=0.5, uncovered='O', epochs=8, rate=0.002)",
}


def sentences(split: str) -> list[Sentence]:
    return list(Corpus.by_name("conll04")().sentences(f"{data()}/conll04/{split}.txt", Repairs()))


def with_types(some: Iterable[Sentence], types: Collection[str]) -> Iterator[Sentence]:
    for sentence in some:
        kept = tuple(entity for entity in sentence.entities if entity.type in types)
        yield replace(sentence, entities=kept, relations=())


def written(folder: Path, name: str, some: Iterable[Sentence], types: Collection[str]) -> str:
    path = folder / f"{name}.jsonl"
    SpanJsonWriter().write((ScoredSentence(one) for one in with_types(some, types)), str(path), Repairs())
    return str(path)


def trained(folder: Path, name: str, train: str, dev: str, more: str, seed: int) -> str:
    text = (
        "local experiment = import 'ner_zoo/experiment.libsonnet'; local use = import 'ner_zoo/use.libsonnet';"
        f"experiment + use.corpus('span_json', '{train}', '{dev}') + {TAGGER} + use.batches(16) + {more}"
        f" + {{ random_seed: {seed}, numpy_seed: {seed}, pytorch_seed: {seed}, trainer+: {{ patience: null }} }}"
    )
    config = json.loads(evaluate_snippet("extend.jsonnet", text, ext_vars={"NER_ZOO_DATA": data()}))
    train_model(Params(config), str(folder / name), force=True)
    return str(folder / name / "model.tar.gz")


def f1(archive: str, gold: list[Sentence]) -> dict[str, float]:
    """Of the old types and of the new ones."""
    documents = [Document.of_sentence(sentence) for sentence in gold]
    open_predictor(archive).annotate(documents)
    found = {}
    for name, types in (("old", OLD), ("new", NEW)):
        right = predicted = wanted = 0
        for document, sentence in zip(documents, with_types(gold, types)):
            ours = {entity for one in document.predictions for entity, _ in one.entities if entity.type in types}
            right, predicted = right + len(ours & set(sentence.entities)), predicted + len(ours)
            wanted += len(sentence.entities)
        found[name] = round(200 * right / max(predicted + wanted, 1), 2)
    return found


def measure(folder: Path, seed: int) -> dict[str, Any]:
    train, dev, test = (sentences(split) for split in ("train", "dev", "test"))
    files = {name: written(folder, name, train, types) for name, types in (("old", OLD), ("new", NEW))}
    files["joint"], every = written(folder, "joint", train, OLD + NEW), written(folder, "dev", dev, OLD + NEW)
    long = "{ trainer+: { num_epochs: 12, optimizer+: { lr: 0.004 } } }"
    archives = {"joint": trained(folder, f"joint{seed}", files["joint"], every, long, seed)}
    archives["old"] = trained(folder, f"old{seed}", files["old"], written(folder, "old_dev", dev, OLD), long, seed)
    for number, (name, part) in enumerate(WAYS.items()):
        more = part.format(old=archives["old"])
        archives[name] = trained(folder, f"extended{seed}_{number}", files["new"], every, more, seed)
    return {name: {"dev": f1(path, dev), "test": f1(path, test)} for name, path in archives.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m results.extend_types", description=__doc__)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    started = time.process_time()
    found: dict[str, Any] = {"old_types": OLD, "new_types": NEW, "seeds": []}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, arguments.seeds + 1):
            found["seeds"].append(measure(Path(folder), seed))
            found["cpu_seconds"] = round(time.process_time() - started)
            arguments.output.write_text(json.dumps(found, indent=1) + "\n")
            print(json.dumps(found["seeds"][-1], indent=1), flush=True)


if __name__ == "__main__":
    main()
