"""
The tables of docs/cleaning.md, written from docs/results/label_errors.json between two comments.
"""

import json
import re
from typing import Any

from ner_zoo.rendering.tables import markdown_table
from results.comparison import ROOT

MEASURED = ROOT / "docs" / "results" / "label_errors.json"
PAGE = ROOT / "docs" / "cleaning.md"
QUOTE = re.compile(r"(<!-- label errors -->\n).*?(<!-- end -->)", re.DOTALL)
NAMES = {"conll04": "CoNLL04", "wnut17": "WNUT-17"}
METHODS = ("clean", "cleanlab", "loss")


def write() -> None:
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(written_into(text, json.loads(MEASURED.read_text(encoding="utf-8"))), encoding="utf-8")


def written_into(text: str, measured: dict[str, Any]) -> str:
    return QUOTE.sub(lambda found: f"{found[1]}{render(measured)}\n{found[2]}", text)


def render(measured: dict[str, Any]) -> str:
    return "\n\n".join(
        [found_table(measured), kinds_table(measured), sentences_table(measured), repair_table(measured)]
    )


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
    return markdown_table(head, rows, left_columns=3)


def _pair(some: dict[str, float] | None) -> str:
    return "–" if some is None else f"{100 * some['average_precision']:.1f} / {100 * some['precision_at_planted']:.1f}"


def kinds_table(measured: dict[str, Any]) -> str:
    kinds = ("missing", "spurious", "type", "boundary")
    rows = [
        [NAMES[one["corpus"]], f"{one['rate']} %", *(f"{100 * one['recall_by_kind'][kind]:.0f}" for kind in kinds)]
        for one in measured["found"]
    ]
    said = (
        "Of the errors of entities, by kind, so many per cent are found by the first claims of `clean`, as many as "
        "were planted:"
    )
    return f"{said}\n\n{markdown_table(['corpus', 'errors', *kinds], rows, left_columns=2)}"


def sentences_table(measured: dict[str, Any]) -> str:
    methods = ("clean", "sentence_error_probability", "cleanlab_worst_token")
    rows = [
        [NAMES[one["corpus"]], f"{one['rate']} %", *(_pair(one["sentences"][method]) for method in methods)]
        for one in measured["found"]
    ]
    head = ["corpus", "errors", "highest confidence", "`sentence_error_probability`", "worst token (cleanlab)"]
    said = "Sentences ranked by whether they have any error, of entities or relations:"
    return f"{said}\n\n{markdown_table(head, rows, left_columns=2)}"


def repair_table(measured: dict[str, Any]) -> str:
    rows = []
    for one in measured["repaired"]:
        figures = [_score(one.get(metric)) if one["seeds"] else "not run" for metric in ("entity_f1", "relation_f1")]
        rows.append([one["name"], str(one["seeds"]), *figures])
    return markdown_table(["CoNLL04 test, trained on", "seeds", "entity F1", "relation F1"], rows)


def _score(figure: dict[str, Any] | None) -> str:
    if figure is None:
        return "–"
    return f"{100 * figure['mean']:.1f}" + (f" ± {100 * figure['sd']:.1f}" if figure["sd"] is not None else "")
