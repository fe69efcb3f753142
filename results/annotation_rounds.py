"""
Measures whether `suggest` saves annotation effort: annotation in rounds, simulated on a fully labelled corpus.

    python -m results.annotation_rounds conll04 --seeds 3 -o docs/results/labels/annotation_rounds_conll04.json

Each run starts from the same 100 random sentences of a seed, trains a small tagger, chooses more of the rest, adds
their gold labels, and trains again from scratch, until it reaches 95% of the F1 of all data, or `--most` sentences. How
many sentences that takes is read off the straight line between the last two rounds. The test file's F1 is reported;
nothing is chosen on it. What the output has already is not run again.
"""

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from allennlp.models import Model

from ner_zoo.data.near_duplicates import groups_of_near_duplicates
from ner_zoo.workbench.scoring_worker import key_of
from ner_zoo.workbench.selection import Candidate, Pool, SelectionOptions
from ner_zoo.workbench.uncertainty import MEASURES, doubted_types
from results.small_taggers import CORPORA, EPOCHS, SmallTaggers, structures

FIRST, SHARE = 100, 0.95
# Name -> the measure of `suggest`, and the share of random rows; everything else is as in the command.
STRATEGIES: dict[str, tuple[str, float]] = {
    "random": ("entropy", 1.0),
    "least confidence": ("least_confidence", 0.0),
    "entropy": ("entropy", 0.0),
    "expected F1 gain": ("f1_gain", 0.0),
}


def next_ones(bench: SmallTaggers, model: Model, rest: Sequence[int], strategy: str, each: int, seed: int) -> list[int]:
    """Selects the sentences to annotate next, with the code of `suggest`."""
    by, share = STRATEGIES[strategy]
    measure: Any = MEASURES[by]()
    labels: Any = model.labels
    numbers, doubts = [], []
    for structure in structures(model, bench.vocab, [bench.pool[number] for number in rest]):
        numbers += measure.of_sentences(labels, structure)
        doubts += doubted_types(labels, structure).argmax(1).tolist()
    totals = tuple(map(sum, zip(*numbers)))
    pool = Pool(SelectionOptions(each, share, seed=seed))
    tokens = {number: bench.pool[number]["metadata"].metadata.tokens for number in rest}  # type: ignore[attr-defined]
    for number, values, doubt in zip(rest, numbers, doubts):
        value = measure.value(measure.of_text([values]), totals)
        pool.add(Candidate(value, number, labels.types[doubt], key_of(tokens[number])))
    rows = pool.rows()
    groups = dict(zip(rows, groups_of_near_duplicates([tokens[row] for row in rows])))
    return [one.candidate.row for one in pool.choose(groups)]


@dataclass(frozen=True)
class Goal:
    """target : the F1 to reach on test. each : sentences in a round. most : sentences after which to give up."""

    target: float
    each: int
    most: int


def scores(bench: SmallTaggers, model: Model, chosen: Sequence[int]) -> dict[str, float]:
    tokens = sum(len(bench.pool[number]["metadata"].metadata.tokens) for number in chosen)  # type: ignore[attr-defined]
    found = {"dev": round(bench.f1(model, bench.dev), 2), "test": round(bench.f1(model, bench.test), 2)}
    return {"sentences": len(chosen), "tokens": tokens, **found}


def simulate(bench: SmallTaggers, first: Model, strategy: str, seed: int, goal: Goal) -> list[dict[str, float]]:
    """first : the model trained on the first sentences, shared by all strategies."""
    chosen, rest = first_sentences(bench, seed)
    rounds = [scores(bench, first, chosen)]
    model = first
    while rounds[-1]["test"] < goal.target and len(chosen) + goal.each <= min(goal.most, len(bench.pool)):
        new = next_ones(bench, model, rest, strategy, goal.each, seed + len(rounds))
        chosen, rest = [*chosen, *new], sorted(set(rest) - set(new))
        model = bench.trained(chosen, seed)
        rounds.append(scores(bench, model, chosen))
        print(f"{strategy}, seed {seed}: {rounds[-1]}", flush=True)
    return rounds


def first_sentences(bench: SmallTaggers, seed: int) -> tuple[list[int], list[int]]:
    """The initially annotated sentences, and all others."""
    numbers = list(range(len(bench.pool)))
    random.Random(seed).shuffle(numbers)
    return numbers[:FIRST], sorted(numbers[FIRST:])


def needed(rounds: Sequence[dict[str, float]], target: float, unit: str = "sentences") -> float | None:
    """The number of sentences, or tokens, needed to reach the target, interpolated between two rounds."""
    if rounds[-1]["test"] < target:
        return None
    if len(rounds) == 1:
        return rounds[0][unit]
    before, last = rounds[-2:]
    part = (target - before["test"]) / (last["test"] - before["test"])
    return round(before[unit] + part * (last[unit] - before[unit]))


def run(bench: SmallTaggers, seeds: Sequence[int], each: int, most: int, path: Path) -> None:
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"full": {}, "runs": {}}
    found["sentences"], found["settings"] = len(bench.pool), {"first": FIRST, "each": each, "epochs": EPOCHS}
    for seed in seeds:
        if str(seed) not in found["full"]:
            every = range(len(bench.pool))
            found["full"][str(seed)] = scores(bench, bench.trained(every, seed), every)
            path.write_text(json.dumps(found, indent=1) + "\n")
    goal = Goal(SHARE * mean(found["full"][str(seed)]["test"] for seed in seeds), each, most)
    found["target"] = round(goal.target, 2)
    for seed in seeds:
        missing = [name for name in STRATEGIES if str(seed) not in found["runs"].setdefault(name, {})]
        first = bench.trained(first_sentences(bench, seed)[0], seed) if missing else None
        for name in missing:
            assert first is not None
            found["runs"][name][str(seed)] = simulate(bench, first, name, seed, goal)
            path.write_text(json.dumps(found, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m results.annotation_rounds", description=__doc__)
    parser.add_argument("corpus", choices=sorted(CORPORA))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--each", type=int, default=100, help="sentences in a round")
    parser.add_argument("--most", type=int, default=2000, help="sentences after which a strategy has failed")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    seeds = range(1, arguments.seeds + 1)
    run(SmallTaggers(arguments.corpus), seeds, arguments.each, arguments.most, arguments.output)


if __name__ == "__main__":
    main()
