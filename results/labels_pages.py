"""
Writes the measurements about missing labels into the pages that quote them, between a pair of comments:

    python -m results.labels_pages          from docs/results/labels/*.json

The measurements are made by results.annotation_rounds, results.extend_types, results.weak_agreement,
results.suggest_memory, results.self_training and results.dictionary_walk.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

from matplotlib.figure import Figure

from ner_zoo.rendering.theme import LIGHT, drawn_in, png
from results import self_training
from results.annotation_rounds import needed

DOCS = Path(__file__).parents[1] / "docs"
MEASURED = DOCS / "results" / "labels"
NOT_YET = "Not measured yet."
NAMES = {"conll04": "CoNLL04", "wnut17": "WNUT-17"}


def table(head: list[str], rows: list[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def agreement(found: dict[str, Any]) -> str:
    rows = [
        [
            name,
            f"{one['theirs']:,}",
            f"{one['ours']:,}",
            one["precision"],
            one["recall"],
            f"{one['sentences_equal_to_ds_pa']:,} of {one['sentences']:,}",
        ]
        for name, one in found.items()
    ]
    head = ["dictionaries", "entities in `ds_fa`", "ours", "precision", "recall", "sentences equal to `ds_pa`"]
    return table(head, rows)


def rounds(found: dict[str, Any]) -> str:
    """found : the output of annotation_rounds, by corpus."""
    return "\n\n".join([ROUNDS, *(_rounds(name, one) for name, one in found.items()), HOW_ROUNDS])


ROUNDS = """\
Annotation in rounds, simulated on corpora whose labels are all known: from 100 random sentences, more in each round,
with a small tagger trained anew each time, until its test F1 is 95% of what all training sentences give."""
HOW_ROUNDS = """\
The first 100 sentences are the same for all strategies of a seed. **Every measure saves annotation against random
sentences**: least confidence needs a third of the sentences on WNUT-17 and three quarters on CoNLL04. Among the
measures, the differences are within noise. Least confidence is ahead on the development files of both corpora, and is
therefore the default of `suggest`; the margin between the two best annotations needs 314 sentences on CoNLL04.
Sentences that a model is unsure of are long: counted in words, the gain is 5% on CoNLL04, but still 64% on WNUT-17. If
annotation costs time for every word, use `--per-token`, which was not simulated here.
`python -m results.annotation_rounds conll04` runs it."""


def _rounds(corpus: str, found: dict[str, Any]) -> str:
    rows = []
    for strategy, runs in found["runs"].items():
        cells = [strategy, len(runs)]
        for unit in ("sentences", "tokens"):
            each = [needed(one, found["target"], unit) for one in runs.values()]
            reached = [number for number in each if number is not None]
            shown = ", ".join("not reached" if number is None else f"{number:,}" for number in each)
            cells += [shown, f"{mean(reached):,.0f}" if len(reached) == len(each) else "–"]
        rows.append(cells)
    full = [one["test"] for one in found["full"].values()]
    said = (
        f"**{NAMES[corpus]}**, {found['sentences']:,} training sentences, {found['settings']['each']} more in each "
        f"round. All of them give {mean(full):.1f}; the target is {found['target']:.1f}.\n\n"
    )
    head = ["strategy", "seeds", "sentences needed, by seed", "mean", "words needed, by seed", "mean"]
    picture = f"![F1 by sentences, {NAMES[corpus]}](annotation_rounds_{corpus}.png)"
    return f"{said}{table(head, rows)}\n\n{_on_dev(found)}\n\n{picture}"


def _on_dev(found: dict[str, Any]) -> str:
    """The mean dev F1 after the last round that all runs have."""
    last = min(len(one) for runs in found["runs"].values() for one in runs.values()) - 1
    scores = {name: mean(one[last]["dev"] for one in runs.values()) for name, runs in found["runs"].items()}
    sentences = next(iter(found["runs"]["random"].values()))[last]["sentences"]
    shown = ", ".join(f"{name} {score:.1f}" for name, score in scores.items())
    return f"Dev F1 after {sentences} sentences, the last round that all runs have, mean over seeds: {shown}."


def curve(corpus: str, found: dict[str, Any]) -> bytes:
    with drawn_in(LIGHT):
        figure = Figure(figsize=(6.4, 3.6))
        axes = figure.subplots()
        for (strategy, runs), colour in zip(found["runs"].items(), (LIGHT.quiet, LIGHT.bad, LIGHT.good, LIGHT.third)):
            for number, one in enumerate(runs.values()):
                points = [(some["sentences"], some["test"]) for some in one]
                axes.plot(*zip(*points), color=colour, linewidth=1.2, label=strategy if number == 0 else None)
        axes.axhline(found["target"], color=LIGHT.line, linestyle="--")
        axes.set_xlabel("annotated sentences")
        axes.set_ylabel("test F1")
        axes.set_title(f"{NAMES[corpus]}, one line for each seed; dashed: 95% of all data")
        axes.legend(frameon=False)
        figure.tight_layout()
        return png(figure)


def extension(found: dict[str, Any]) -> str:
    seeds = found["seeds"]
    rows = []
    for name in seeds[0]:
        known = [one[name] for one in seeds if name in one]
        figures = [
            f"{mean(one[split][kind] for one in known):.1f}" for split in ("dev", "test") for kind in ("old", "new")
        ]
        shown = {"joint": "all four types at once", "old": "the old model"}.get(name, f"`{name}`")
        rows.append([shown, len(known), *figures])
    head = ["model", "seeds", "dev, old types", "dev, new types", "test, old types", "test, new types"]
    types = [" and ".join(found[kind]) for kind in ("old_types", "new_types")]
    return (
        f"CoNLL04, first {types[0]}, then {types[1]}, annotated in the same sentences; F1, mean over seeds. The\n"
        "defaults were chosen on dev with one seed, the best epoch of each run on dev:\n\n"
        f"{table(head, rows)}\n\n{_verdict(seeds)}\n\n`python -m results.extend_types` runs it."
    )


def _verdict(seeds: list[dict[str, Any]]) -> str:
    """The two relevant differences, on the test file."""

    def score(name: str, kind: str) -> float:
        return mean(one[name]["test"][kind] for one in seeds)

    extended = next(name for name in seeds[0] if name.startswith("use.extend"))
    old = score(extended, "old") - score("old", "old")
    new = score(extended, "new") - score("joint", "new")
    return (
        f"On the test file the old types change by {old:+.1f} points of F1 against the old model, and the new ones\n"
        f"are {abs(new):.1f} points {'above' if new >= 0 else 'below'} training all four at once."
    )


def memory(found: dict[str, Any]) -> str:
    runs = [f"{one['rows']:,} rows ({one['input_mb']} MB): {one['peak_mb']} MB" for one in found["runs"]]
    return (
        "The peak of the whole process, torch and a small tagger included, for short rows, with "
        f"`-n {found['count']} --workers 0`:\n{'; '.join(runs)}. `python -m results.suggest_memory` runs it."
    )


def walk(found: dict[str, Any]) -> str:
    rows = []
    steps = {"weak": "a model of its labels", "cleaned": "a model of the corpus after `clean`"}
    found = {corpus: found[corpus] for corpus in WALKS if corpus in found}
    for corpus, one in found.items():
        rows.append([WALKS[corpus], "the dictionary alone", "–", "–", "–", f"{100 * one['dictionary']['test_f1']:.1f}"])
        for step, name in steps.items():
            figures = [one[step][key] for key in ("dev_f1", "test_precision", "test_recall", "test_f1")]
            rows.append([WALKS[corpus], name, *(f"{100 * figure:.1f}" for figure in figures)])
    changed = ", ".join(f"{one['applied']['missing']:,} in {WALKS[corpus]}" for corpus, one in found.items())
    head = ["texts", "", "dev F1", "test precision", "recall", "F1"]
    worse = [WALKS[corpus] for corpus, one in found.items() if one["cleaned"]["dev_f1"] < one["weak"]["dev_f1"]]
    harm = f" It made the model of {' and '.join(worse)} worse, {WHY_WORSE}" if worse else ""
    return f"{table(head, rows)}\n\nEntities that `clean` added: {changed}.{harm}\n\n{HOW_WALKS}"


WALKS = {"demo": "this page's texts", "conll04": "CoNLL04", "ec": "EC"}
WHY_WORSE = """\
as the
development file shows in time: a name that a dictionary lacks is O wherever it occurs, and if a model cannot tell from
spelling and context that it is a name, models of other folds do not find it either."""
HOW_WALKS = """\
One seed; the best epoch is chosen on the development file. For CoNLL04 the labels are forgotten, and the dictionary has
every other name in them. EC are 2,560 Chinese texts of online shopping, with the four dictionaries that were published
with them; its development and test files are annotated by people, with a fifth type that none of the dictionaries has.
`python -m results.dictionary_walk demo conll04 ec` runs all."""


PLACES: dict[str, tuple[str, str, Callable[[dict[str, Any]], str]]] = {
    "agreement": ("weak_labels.md", "weak_agreement", agreement),
    "rounds": ("annotating_more.md", "annotation_rounds_*", rounds),
    "self-training": ("annotating_more.md", "self_training", self_training.shown),
    "memory": ("annotating_more.md", "suggest_memory", memory),
    "walk": ("from_dictionary.md", "dictionary_walk", walk),
    "extension": ("new_types.md", "extend_types", extension),
}


def replaced(page: str, mark: str, text: str) -> str:
    """The page with the text between the two comments of a mark."""
    between = re.compile(rf"(<!-- {mark} -->\n).*?(\n<!-- end -->)", re.DOTALL)
    return between.sub(lambda match: match[1] + text + match[2], page)


def measured(name: str) -> dict[str, Any]:
    """The contents of a file or, for a name with a star, of each matching file by what the star matches; may be
    empty."""
    found = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(MEASURED.glob(f"{name}.json"))}
    if name.endswith("*"):
        return {stem.removeprefix(name[:-1]): content for stem, content in found.items()}
    return found.get(name, {})


def main() -> None:
    for mark, (page, name, text_of) in PLACES.items():
        found = measured(name)
        whole = (DOCS / page).read_text(encoding="utf-8")
        (DOCS / page).write_text(replaced(whole, mark, text_of(found) if found else NOT_YET), encoding="utf-8")
        if mark == "rounds":
            for corpus, one in found.items():
                (DOCS / f"annotation_rounds_{corpus}.png").write_bytes(curve(corpus, one))


if __name__ == "__main__":
    main()
