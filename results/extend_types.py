"""
New types without forgetting: CoNLL04 with two types first and the other two later.

    python -m results.extend_types --seeds 3 -o docs/results/labels/extend_types.json

All training sentences are used three times: with the two old types annotated (the old model), with the two new ones
(what `use.extend` trains on), and with all four (joint training, for comparison). The defaults of `use.extend` were
chosen on the dev file with the first seed, and the best epoch is chosen there; it has all types. What is trained is not
trained again.
"""

import argparse
import json
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
TRAINING = "use.batches(16) + { trainer+: { num_epochs: 12, patience: null, optimizer+: { lr: 0.004 } } }"
# Folder -> name in the table, part of the config, and the number of seeds.
WAYS = {
    "extended": ("use.extend(old)", "use.extend('{old}')", 3),
    "unknown": ("use.extend(old, predictions=null)", "use.extend('{old}', predictions=null)", 1),
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
        f"experiment + use.corpus('span_json', '{train}', '{dev}') + {TAGGER} + {TRAINING} + {more}"
        f" + {{ random_seed: {seed}, numpy_seed: {seed}, pytorch_seed: {seed} }}"
    )
    archive = folder / name / "model.tar.gz"
    if not archive.exists():
        config = json.loads(evaluate_snippet("extend.jsonnet", text, ext_vars={"NER_ZOO_DATA": data()}))
        train_model(Params(config), str(folder / name), force=True)
    return str(archive)


def f1(archive: str, gold: list[Sentence]) -> dict[str, float]:
    """F1 of the old types and of the new ones."""
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
    archives = {"joint": trained(folder, f"joint{seed}", files["joint"], every, "{}", seed)}
    archives["old"] = trained(folder, f"old{seed}", files["old"], written(folder, "old_dev", dev, OLD), "{}", seed)
    for place, (name, part, most) in WAYS.items():
        if seed <= most:
            more = part.format(old=archives["old"])
            archives[name] = trained(folder, f"{place}{seed}", files["new"], every, more, seed)
    return {name: {"dev": f1(path, dev), "test": f1(path, test)} for name, path in archives.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m results.extend_types", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--folder", type=Path, default=Path("out") / "extend_types", help="where models go")
    arguments = parser.parse_args()
    found: dict[str, Any] = {"old_types": OLD, "new_types": NEW, "seeds": []}
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(1, arguments.seeds + 1):
        found["seeds"].append(measure(arguments.folder, seed))
        arguments.output.write_text(json.dumps(found, indent=1) + "\n")
        print(json.dumps(found["seeds"][-1], indent=1), flush=True)


if __name__ == "__main__":
    main()
