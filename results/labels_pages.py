"""
Writes what was measured about missing labels into the pages that quote it, between a pair of comments:

    python -m results.labels_pages          from docs/results/labels/*.json

The measurements are made by results.annotation_rounds, results.extend_types, results.weak_agreement and
results.suggest_memory.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

from matplotlib.figure import Figure

from ner_zoo.rendering.theme import LIGHT, drawn_in, png

DOCS = Path(__file__).parents[1] / "docs"
MEASURED = DOCS / "results" / "labels"
NOT_YET = "Not measured yet."


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
    rows = []
    for strategy, runs in found["runs"].items():
        needed = [run["needed"] for run in runs]
        after = [mean(run["rounds"][n]["test"] for run in runs if len(run["rounds"]) > n) for n in (1, 2)]
        rows.append([strategy, ", ".join(map(str, needed)), round(mean(needed)), *(f"{f1:.1f}" for f1 in after)])
    size, each = found["settings"]["first"], found["settings"]["each"]
    head = ["strategy", "sentences needed, by seed", "mean", f"F1 with {size + each}", f"with {size + 2 * each}"]
    return (
        f"We simulated annotation on CoNLL04 (entities; {found['sentences']} training sentences). Starting "
        f"from {size} random\n"
        f"sentences, each round adds {each} and trains a small tagger from scratch. Training on all data "
        "gives an F1 of\n"
        f"{mean(one['test'] for one in found['full']):.1f}; the target is 95% of that, {found['target']:.1f}.\n\n"
        f"{table(head, rows)}\n\n![F1 by sentences](annotation_rounds.png)\n\n"
        "All settings were fixed beforehand; none was selected on the test file. We did not simulate "
        "`margin`, `f1_gain` or\n"
        "other corpora. `python -m results.annotation_rounds conll04` runs the simulation."
    )


def curve(found: dict[str, Any]) -> bytes:
    with drawn_in(LIGHT):
        figure = Figure(figsize=(6.4, 3.6))
        axes = figure.subplots()
        for (strategy, runs), colour in zip(found["runs"].items(), (LIGHT.quiet, LIGHT.bad, LIGHT.good, LIGHT.third)):
            for number, run in enumerate(runs):
                points = [(one["sentences"], one["test"]) for one in run["rounds"]]
                axes.plot(*zip(*points), color=colour, linewidth=1.2, label=strategy if number == 0 else None)
        axes.axhline(found["target"], color=LIGHT.line, linestyle="--")
        axes.set_xlabel("annotated sentences")
        axes.set_ylabel("test F1")
        axes.set_title("CoNLL04, one line for each seed; dashed: 95% of all data")
        axes.legend(frameon=False)
        figure.tight_layout()
        return png(figure)


def extension(found: dict[str, Any]) -> str:
    seeds = found["seeds"]
    rows = []
    for name in seeds[0]:
        figures = [
            f"{mean(one[name][split][kind] for one in seeds):.1f}"
            for split in ("dev", "test")
            for kind in ("old", "new")
        ]
        rows.append([name, *figures])
    head = ["model", "dev, old types", "dev, new types", "test, old types", "test, new types"]
    types = [" and ".join(found[kind]) for kind in ("old_types", "new_types")]
    return (
        f"CoNLL04, annotated first with {types[0]} and then with {types[1]}, in the same sentences; joint: "
        "all four types\n"
        f"at once. F1, mean of {len(seeds)} seed(s), at the best epoch on dev:\n\n{table(head, rows)}\n\n"
        "`python -m results.extend_types` runs the measurement."
    )


def memory(found: dict[str, Any]) -> str:
    runs = [f"{one['rows']:,} rows ({one['input_mb']} MB): {one['peak_mb']} MB at most" for one in found["runs"]]
    return (
        "Peak memory of the whole process, including torch and the model, with `-n 200`, four types and "
        "random numbers\n"
        f"instead of a model's probabilities: {'; '.join(runs)}."
    )


PLACES: dict[str, tuple[str, str, Callable[[dict[str, Any]], str]]] = {
    "agreement": ("weak_labels.md", "weak_agreement", agreement),
    "rounds": ("annotating_more.md", "annotation_rounds_conll04", rounds),
    "memory": ("annotating_more.md", "suggest_memory", memory),
    "extension": ("new_types.md", "extend_types", extension),
}


def replaced(page: str, mark: str, text: str) -> str:
    """The page with the text between the two comments of a mark."""
    between = re.compile(rf"(<!-- {mark} -->\n).*?(\n<!-- end -->)", re.DOTALL)
    return between.sub(lambda match: match[1] + text + match[2], page)


def main() -> None:
    for mark, (page, name, text_of) in PLACES.items():
        path = MEASURED / f"{name}.json"
        found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        whole = (DOCS / page).read_text(encoding="utf-8")
        text = NOT_YET if found is None else text_of(found)
        (DOCS / page).write_text(replaced(whole, mark, text), encoding="utf-8")
        if mark == "rounds" and found is not None:
            (DOCS / "annotation_rounds.png").write_bytes(curve(found))


if __name__ == "__main__":
    main()
