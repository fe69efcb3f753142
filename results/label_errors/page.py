"""
The tables of docs/cleaning.md, written from measured.json between two comments.
"""

import json
import re
from typing import Any

from ner_zoo.rendering.tables import markdown_table
from results.comparison import ROOT

MEASURED = ROOT / "results" / "label_errors" / "measured.json"
PAGE = ROOT / "docs" / "cleaning.md"
QUOTE = re.compile(r"(<!-- label errors -->\n).*?(<!-- end -->)", re.DOTALL)
NAMES = {"conll04": "CoNLL04", "wnut17": "WNUT-17"}
CORRECTED = """\
## How many errors remain after correction

The table compares the corpora after `clean --apply` with the originals, before errors were planted. For `replace`, it
shows the F1 of the annotation itself; for `unknown`, the number of wrong entities that remain and the number of unknown
tokens. The rarer the types and the weaker the model, the higher `--above` must be for `replace` to help: on WNUT-17,
0.9 does harm. The default of `--above`, 0.98, was selected from this table. The relations of CoNLL04 with 5% errors
were measured before `replace` checked relations again after correcting their entities, and the whole table before
proposals that overlap each other were skipped."""
REPAIRED = """\
## How much correction improves a model

CoNLL04 with 20% errors, five folds: test scores of models trained on the corpus with errors and after correction. NRCES
needs a span model, so a span model with likelihood is included for comparison. For `replace`, `--above` is the default,
0.98. Scores of one condition differ by several points between seeds, so the shares below are rough. All rows
were measured before proposals that overlap each other were skipped."""
METHODS = ("clean", "cleanlab", "loss")


def write() -> None:
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(written_into(text, json.loads(MEASURED.read_text(encoding="utf-8"))), encoding="utf-8")


def written_into(text: str, measured: dict[str, Any]) -> str:
    return QUOTE.sub(lambda found: f"{found[1]}{render(measured)}\n{found[2]}", text)


def render(measured: dict[str, Any]) -> str:
    tables = [found_table(measured), kinds_table(measured), sentences_table(measured)]
    return "\n\n".join([*tables, CORRECTED, corrected_table(measured), REPAIRED, repair_table(measured)])


def found_table(measured: dict[str, Any]) -> str:
    rows = []
    for one in measured["found"]:
        for of in ("entities", "relations"):
            if one[of]:
                each = [one[of].get(method) for method in METHODS]
                planted = one[of]["clean"]["planted"]
                figures = [_pair(some) for some in each]
                rows.append([NAMES[one["corpus"]], f"{one['rate']} %", of, f"{planted:,}", str(one["folds"]), *figures])
    head = ["corpus", "errors", "of", "planted", "folds", "`clean`", f"cleanlab {measured['cleanlab']}", "loss"]
    return markdown_table(head, rows, left_columns=3) + "\n\n" + _behind(measured)


def _behind(measured: dict[str, Any]) -> str:
    """Where another method is ahead of `clean`, in words."""
    scores = {"average_precision": "average precision", "precision_at_planted": "precision among the first n claims"}
    found = [
        f"{method} has the higher {shown} for the {of} of {NAMES[one['corpus']]} with {one['rate']}% errors"
        for one in measured["found"]
        for of in ("entities", "relations")
        for method, own in one[of].items()
        for score, shown in scores.items()
        if own[score] > one[of]["clean"][score]
    ]
    return (
        f"`clean` is ahead in all cells but these: {'; '.join(found)}." if found else "`clean` is ahead in every cell."
    )


def _pair(some: dict[str, float] | None) -> str:
    return "–" if some is None else f"{100 * some['average_precision']:.1f} / {100 * some['precision_at_planted']:.1f}"


def kinds_table(measured: dict[str, Any]) -> str:
    kinds = ("missing", "spurious", "type", "boundary")
    rows = [
        [NAMES[one["corpus"]], f"{one['rate']} %", *(f"{100 * one['recall_by_kind'][kind]:.0f}" for kind in kinds)]
        for one in measured["found"]
    ]
    said = (
        "Share of the planted entity errors of each kind, in per cent, among the first n claims of `clean` "
        "for n planted "
        "errors:"
    )
    return f"{said}\n\n{markdown_table(['corpus', 'errors', *kinds], rows, left_columns=2)}"


def sentences_table(measured: dict[str, Any]) -> str:
    methods = ("clean", "sentence_error_probability", "cleanlab_worst_token")
    rows = [
        [NAMES[one["corpus"]], f"{one['rate']} %", *(_pair(one["sentences"][method]) for method in methods)]
        for one in measured["found"]
    ]
    head = ["corpus", "errors", "highest confidence", "`sentence_error_probability`", "worst token (cleanlab)"]
    said = "Ranking of sentences by whether they contain any error in entities or relations:"
    return f"{said}\n\n{markdown_table(head, rows, left_columns=2)}"


def corrected_table(measured: dict[str, Any]) -> str:
    rows = []
    for one in measured["found"]:
        for row in one.get("corrected", ()):
            above = "as planted" if row["above"] is None else f"`--above {row['above']}`"
            scores = [_percent(row[name]) for name in ("entity_f1", "relation_f1")]
            left = [f"{row['wrong_entities_left']:,}", f"{row['unknown_tokens']:,}"]
            rows.append([NAMES[one["corpus"]], f"{one['rate']} %", above, *scores, *left])
    head = ["corpus", "errors", "", "replaced: entity F1", "relation F1", "unknown: wrong entities", "unknown tokens"]
    return markdown_table(head, rows, left_columns=3)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def repair_table(measured: dict[str, Any]) -> str:
    rows = []
    for one in measured["repaired"]:
        figures = [_score(one.get(metric)) if one["seeds"] else "not run" for metric in ("entity_f1", "relation_f1")]
        rows.append([one["name"], str(one["seeds"]), *figures])
    table = markdown_table(["CoNLL04 test, trained on", "seeds", "entity F1", "relation F1"], rows)
    return f"{table}\n\n{_given_back(measured)}"


def _given_back(measured: dict[str, Any]) -> str:
    """Which share of the loss by errors is recovered, over the seeds that all three models have."""
    rows = {one["name"]: one for one in measured["repaired"] if one["seeds"]}
    said = []
    for name, row in rows.items():
        if "replaced" in name or "unknown" in name:
            shares = []
            for metric, shown in (("entity_f1", "entity"), ("relation_f1", "relation")):
                low, own, high = (rows[one][metric]["values"] for one in ("nll, errors", name, "nll, no errors"))
                low, high = low[: len(own)], high[: len(own)]
                shares.append(f"{(sum(own) - sum(low)) / (sum(high) - sum(low)):.0%} of the {shown} F1")
            seeds = f"{row['seeds']} seed{'s' if row['seeds'] > 1 else ''}"
            said.append(f"- {name} ({seeds}): {' and '.join(shares)}")
    return "Share of the F1 lost to errors that is recovered, compared over the same seeds:\n\n" + "\n".join(said)


def _score(figure: dict[str, Any] | None) -> str:
    if figure is None:
        return "–"
    return f"{100 * figure['mean']:.1f}" + (f" ± {100 * figure['sd']:.1f}" if figure["sd"] is not None else "")
