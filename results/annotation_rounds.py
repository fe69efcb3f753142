"""
Does `suggest` pay? Annotation in rounds, simulated on a corpus whose labels are all known.

    python -m results.annotation_rounds conll04 --seeds 3 -o docs/results/annotation_rounds_conll04.json

Each run starts from the same 100 random sentences of a seed, trains a small tagger, chooses 100 more of the rest, adds
their gold labels, and trains again from scratch, until it reaches 95% of the F1 of all data. How many sentences that
takes is read off the straight line between the last two rounds. Nothing is chosen on the test file, whose F1 is
reported: the number of epochs, the sizes and the strategies are fixed beforehand.
"""

import argparse
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from allennlp.common import Params
from allennlp.common.params import evaluate_snippet
from allennlp.common.util import prepare_environment
from allennlp.data import DatasetReader, Instance, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models import Model
from allennlp.training import GradientDescentTrainer
from allennlp.training.optimizers import AdamOptimizer

from ner_zoo.data.near_duplicates import groups_of_near_duplicates
from ner_zoo.workbench.scoring_worker import key_of
from ner_zoo.workbench.selection import Candidate, Pool, SelectionOptions
from ner_zoo.workbench.uncertainty import MEASURES, doubted_types
from results.comparison import data

FIRST, EACH, SHARE, EPOCHS, BATCH, RATE = 100, 100, 0.95, 12, 16, 0.004
CORPORA = {
    "conll04": (
        "use.conll04",
        "conll04/test.txt",
        "use.glove + use.characters(dim=16, filters=10) + use.bilstm(64, 0.2, 0.3)",
    ),
    "wnut17": (
        "use.wnut17",
        "wnut17/emerging.test.annotated",
        "use.glove + use.characters(dim=16, filters=10) + use.bilstm(64, 0.2, 0.3)",
    ),
}
# What decides, and how: the measure, the share of random rows, and how much types are balanced.
STRATEGIES: dict[str, tuple[str, float, float]] = {
    "random": ("entropy", 1.0, 0.0),
    "least confidence": ("least_confidence", 0.0, 0.0),
    "suggest --by entropy": ("entropy", 0.1, 0.5),
}


class Bench:
    """A corpus in memory, and a model that is made anew for each training."""

    def __init__(self, name: str) -> None:
        corpus, test, inputs = CORPORA[name]
        text = (
            "local experiment = import 'ner_zoo/experiment.libsonnet'; local use = import 'ner_zoo/use.libsonnet'; "
            f"experiment + {corpus} + use.tagger + {inputs} + use.crf + use.nll"
        )
        self.config = json.loads(evaluate_snippet("rounds.jsonnet", text, ext_vars={"NER_ZOO_DATA": data()}))
        reader = DatasetReader.from_params(Params(self.config["dataset_reader"]))
        self.pool, self.dev, self.test = (
            self._read(reader, path)
            for path in (self.config["train_data_path"], self.config["validation_data_path"], f"{data()}/{test}")
        )
        vocabulary = Params(self.config["vocabulary"])
        self.vocab = Vocabulary.from_params(vocabulary, instances=self.pool)
        for instance in (*self.pool, *self.dev, *self.test):
            instance.index_fields(self.vocab)

    def _read(self, reader: DatasetReader, path: str) -> list[Instance]:
        found = list(reader.read(path))
        for instance in found:
            reader.apply_token_indexers(instance)
        return found

    def trained(self, chosen: Sequence[int], seed: int) -> Model:
        prepare_environment(Params({"random_seed": seed, "numpy_seed": seed, "pytorch_seed": seed}))
        model = Model.from_params(vocab=self.vocab, params=Params(json.loads(json.dumps(self.config["model"]))))
        loader = SimpleDataLoader([self.pool[number] for number in chosen], BATCH, shuffle=True, vocab=self.vocab)
        optimizer = AdamOptimizer(list(model.named_parameters()), lr=RATE)
        trainer = GradientDescentTrainer(
            model, optimizer, loader, num_epochs=EPOCHS, grad_norm=5.0, cuda_device=-1, enable_default_callbacks=False
        )
        trainer.train()
        return model.eval()

    def f1(self, model: Model, instances: Sequence[Instance]) -> float:
        model.get_metrics(reset=True)
        for _ in structures(model, self.vocab, instances, with_gold=True):
            pass
        return 100 * model.get_metrics(reset=True)["entity_f1"]


def structures(model: Model, vocab: Vocabulary, instances: Sequence[Instance], with_gold: bool = False) -> Any:
    loader = SimpleDataLoader(list(instances), 64, vocab=vocab)
    with torch.no_grad():
        for batch in loader:
            if not with_gold:
                batch.pop("labels", None)
            yield model(**batch)["structure"]


def next_ones(bench: Bench, model: Model, rest: Sequence[int], strategy: str, seed: int) -> list[int]:
    """Which sentences to annotate next, by the code of `suggest`."""
    by, share, balance = STRATEGIES[strategy]
    measure: Any = MEASURES[by]()
    labels: Any = model.labels
    numbers, doubts = [], []
    for structure in structures(model, bench.vocab, [bench.pool[number] for number in rest]):
        numbers += measure.of_sentences(labels, structure)
        doubts += doubted_types(labels, structure).argmax(1).tolist()
    totals = tuple(map(sum, zip(*numbers)))
    pool = Pool(SelectionOptions(EACH, share, balance, seed))
    tokens = {number: bench.pool[number]["metadata"].metadata.tokens for number in rest}  # type: ignore[attr-defined]
    for number, values, doubt in zip(rest, numbers, doubts):
        value = measure.value(measure.of_text([values]), totals)
        pool.add(Candidate(value, number, labels.types[doubt], key_of(tokens[number])))
    rows = pool.rows()
    groups = dict(zip(rows, groups_of_near_duplicates([tokens[row] for row in rows])))
    return [one.candidate.row for one in pool.choose(groups)]


def simulate(bench: Bench, strategy: str, seed: int, target: float) -> list[dict[str, float]]:
    numbers = list(range(len(bench.pool)))
    random.Random(seed).shuffle(numbers)
    chosen, rest = numbers[:FIRST], sorted(numbers[FIRST:])
    rounds: list[dict[str, float]] = []
    while True:
        model = bench.trained(chosen, seed)
        scores = {"sentences": len(chosen), "dev": bench.f1(model, bench.dev), "test": bench.f1(model, bench.test)}
        rounds.append({name: round(value, 2) for name, value in scores.items()})
        print(f"{strategy}, seed {seed}: {rounds[-1]}", flush=True)
        if not rest or scores["test"] >= target:
            return rounds
        new = next_ones(bench, model, rest, strategy, seed + len(rounds))
        chosen, rest = [*chosen, *new], sorted(set(rest) - set(new))


def needed(rounds: Sequence[dict[str, float]], target: float) -> float:
    """How many sentences it takes to reach the target, between two rounds by a straight line."""
    if rounds[0]["test"] >= target or rounds[-1]["test"] < target:
        return rounds[-1]["sentences"]
    before, last = rounds[-2:]
    part = (target - before["test"]) / (last["test"] - before["test"])
    return round(before["sentences"] + part * (last["sentences"] - before["sentences"]))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m results.annotation_rounds", description=__doc__)
    parser.add_argument("corpus", choices=sorted(CORPORA))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    bench = Bench(arguments.corpus)
    seeds = range(1, arguments.seeds + 1)
    started = time.process_time()
    full = []
    for seed in seeds:
        model = bench.trained(range(len(bench.pool)), seed)
        full.append({"dev": round(bench.f1(model, bench.dev), 2), "test": round(bench.f1(model, bench.test), 2)})
        print(
            f"all {len(bench.pool)} sentences, seed {seed}: {full[-1]}, {time.process_time() - started:.0f} s",
            flush=True,
        )
    target = SHARE * sum(one["test"] for one in full) / len(full)
    found: dict[str, Any] = {"corpus": arguments.corpus, "sentences": len(bench.pool), "full": full, "target": target}
    found["settings"] = {"first": FIRST, "each": EACH, "epochs": EPOCHS, "batch": BATCH, "rate": RATE}
    found["runs"] = {}
    for seed in seeds:
        for strategy in STRATEGIES:
            rounds = simulate(bench, strategy, seed, target)
            found["runs"].setdefault(strategy, []).append({"rounds": rounds, "needed": needed(rounds, target)})
            found["cpu_seconds"] = round(time.process_time() - started)
            arguments.output.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
