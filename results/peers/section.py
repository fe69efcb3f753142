"""
The section of docs/results.md about other tools, from `measured.json`.
"""

import json
from statistics import mean, stdev
from typing import Any

from ner_zoo.analysis.significance import welch
from results import table
from results.comparison import ROOT

MEASURED = ROOT / "results" / "peers" / "measured.json"
FINDINGS = ROOT / "results" / "peers" / "findings.md"
TITLES = {"wnut17": "WNUT-17", "conll04": "CoNLL04, entities"}
NAMES = {
    "crf_tagger": "AllenNLP's `crf_tagger`",
    "spacy_ner": "spaCy's `ner`",
    "flair_tagger": "flair's `SequenceTagger`",
}
OURS = "ours"
HEADER = ["corpus", "tool", "seeds", "F1, dev", "F1, test", "p", "CPU minutes to train", "words/s", "MB"]


def rows() -> list[dict[str, Any]]:
    return json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else []


def section(measured: list[dict[str, Any]]) -> str:
    """Empty where nothing was measured; mean F1 over the seeds, and the best of their speeds."""
    if not measured:
        return ""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in measured:
        groups.setdefault((row["corpus"], row["tool"]), []).append(row)
    lines = [
        line(corpus, tool, group, groups.get((corpus, OURS), [])) for (corpus, tool), group in sorted(groups.items())
    ]
    told = FINDINGS.read_text(encoding="utf-8").strip() if FINDINGS.exists() else ""
    parts = ["## Compared with other tools", table.table(HEADER, lines), told]
    return "\n\n".join(part for part in parts if part)


def line(corpus: str, tool: str, group: list[dict[str, Any]], ours: list[dict[str, Any]]) -> list[str]:
    """p : that our tagger is not better on test data."""
    p = None if tool == OURS else welch(scores("test_f1", ours), scores("test_f1", group))
    return [
        TITLES[corpus],
        NAMES.get(tool) or f"ner_zoo, `{group[0]['config']}`",
        ", ".join(str(row["seed"]) for row in group),
        score(scores("dev_f1", group)),
        score(scores("test_f1", group)),
        table.p_value({"p_value": p}),
        f"{min(row['cpu_minutes'] for row in group):.1f}",
        f"{max(row['words_per_second'] for row in group):,}",
        f"{mean(scores('megabytes', group)):.1f}",
    ]


def scores(key: str, group: list[dict[str, Any]]) -> list[float]:
    return [row[key] for row in group]


def score(values: list[float]) -> str:
    """Mean ± standard deviation."""
    deviation = f" ± {stdev(values):.2f}" if len(values) > 1 else ""
    return f"{mean(values):.2f}{deviation}"
