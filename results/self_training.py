"""
Measures whether self-training pays: a model trained on a few sentences labels the others, and is trained again on all.

    python -m results.self_training --seeds 3 -o docs/results/labels/self_training.json

CoNLL04 with 150 labelled sentences and the rest without labels, and the small tagger of results.small_taggers. An
entity of at least the probability T is taken as it is, a token of any other entity of at least 1 - T is unknown (for
partial likelihood), and the rest is O; or only sentences are added whose best tagging has at least the probability T.
The control is trained on the labelled sentences alone with as many updates. T and the way are chosen on the dev file.
"""

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from allennlp.data import Instance
from allennlp.models import Model
from scipy.stats import ttest_1samp

from ner_zoo.annotation import Sentence
from ner_zoo.rendering.tables import markdown_table
from ner_zoo.workbench.uncertainty import entities_of
from results.small_taggers import EPOCHS, SmallTaggers, structures

LABELLED = 150
CONTROL = "labelled sentences only, as many updates"
Labelled = Iterator[Sentence]


def confident_tokens(model: Model, bench: SmallTaggers, rest: Sequence[Instance], least: float) -> Labelled:
    """All sentences; what the model is not sure of is unknown."""
    labels: Any = model.labels
    found = (some for one in structures(model, bench.vocab, rest) for some in labels.likely(one, 1 - least))
    for instance, likely in zip(rest, found):
        sentence = instance["metadata"].metadata  # type: ignore[attr-defined]
        kept = tuple(sorted((entity for entity, p in likely if p >= least), key=lambda one: one.start))
        sure = {token for entity in kept for token in range(entity.start, entity.end)}
        doubtful = {token for entity, p in likely if p < least for token in range(entity.start, entity.end)}
        yield replace(sentence, entities=kept, relations=(), unknown=tuple(sorted(doubtful - sure)))


def confident_sentences(model: Model, bench: SmallTaggers, rest: Sequence[Instance], least: float) -> Labelled:
    """The sentences whose best tagging is probable, with that tagging."""
    labels: Any = model.labels
    numbers = iter(rest)
    for structure in structures(model, bench.vocab, rest):
        entities = entities_of(structure)
        sure = ((entities.max() - entities.log_partition()).exp() >= least).tolist()
        for is_sure, prediction in zip(sure, labels.read(structure)):
            sentence = next(numbers)["metadata"].metadata  # type: ignore[attr-defined]
            if is_sure:
                yield replace(sentence, entities=tuple(entity for entity, _ in prediction.entities), relations=())


# Name -> way, T.
WAYS: dict[str, tuple[Callable[..., Labelled], float]] = {
    "entities of at least 0.9, others unknown": (confident_tokens, 0.9),
    "entities of at least 0.7, others unknown": (confident_tokens, 0.7),
    "sentences of at least 0.8": (confident_sentences, 0.8),
}


def measure(bench: SmallTaggers, seed: int, found: dict[str, dict[str, float]], count: int) -> None:
    numbers = list(range(len(bench.pool)))
    random.Random(seed).shuffle(numbers)
    own, rest = ([bench.pool[number] for number in some] for some in (numbers[:count], numbers[count:]))

    def scored(model: Model) -> dict[str, float]:
        return {split: round(bench.f1(model, getattr(bench, split)), 2) for split in ("dev", "test")}

    teacher = bench.trained_on(own, seed)
    found["labelled sentences only"] = scored(teacher)
    more_epochs = round(EPOCHS * len(bench.pool) / count)
    found[CONTROL] = scored(bench.trained_on(own, seed, more_epochs))
    found["all sentences labelled"] = scored(bench.trained_on([*own, *rest], seed))
    for name, (way, least) in WAYS.items():
        added = [bench.instance(sentence) for sentence in way(teacher, bench, rest, least)]
        model = bench.trained_on([*own, *added], seed)
        found[name] = {"added": len(added), **scored(model)}
        print(seed, name, found[name], flush=True)


def shown(found: dict[str, Any]) -> str:
    """The table of docs/annotating_more.md, and how the way that is best on dev compares with the control."""
    seeds = list(found["seeds"].values())
    rows = []
    for name in seeds[0]:
        scores = [[one[name][split] for one in seeds] for split in ("dev", "test")]
        rows.append([name, *(f"{mean(some):.1f}" for some in scores), ", ".join(f"{one:.1f}" for one in scores[1])])
    head = [f"CoNLL04, {found['labelled']} of {found['sentences']} sentences labelled", "dev F1", "test F1", "by seed"]
    best = max(WAYS, key=lambda name: mean(one[name]["dev"] for one in seeds))
    gains = {split: [one[best][split] - one[CONTROL][split] for one in seeds] for split in ("dev", "test")}
    return (
        f"{markdown_table(head, rows)}\n\nBest on dev: {best}. Against training on the labelled sentences with as many "
        f"updates, it gains {mean(gains['dev']):.1f} points\non dev (p = {_p(gains['dev']):.2f}) and "
        f"{mean(gains['test']):.1f} on test (p = {_p(gains['test']):.2f}; paired t test over {len(seeds)} seeds)."
    )


def _p(differences: Sequence[float]) -> float:
    return float(ttest_1samp(differences, 0.0).pvalue)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m results.self_training", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--labelled", type=int, default=LABELLED)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    bench = SmallTaggers("conll04", loss="use.partial_likelihood()")
    found: dict[str, Any] = {"labelled": arguments.labelled, "sentences": len(bench.pool), "seeds": {}}
    for seed in range(1, arguments.seeds + 1):
        measure(bench, seed, found["seeds"].setdefault(str(seed), {}), arguments.labelled)
        arguments.output.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
