"""
Writes an analysis to files: `metrics.json`, and `errors.jsonl` and `noise.jsonl` with one object per line.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ner_zoo.analysis.analysis import Analysis
from ner_zoo.analysis.numbers import to_numbers
from ner_zoo.predictors.line import write_line


def write_files(folder: Path, analysis: Analysis) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    numbers = json.dumps(to_numbers(analysis), indent=2, ensure_ascii=False)
    (folder / "metrics.json").write_text(numbers + "\n", encoding="utf-8", errors="replace")
    relation_errors = analysis.relation_errors.examples if analysis.relation_errors else []
    write_lines(folder / "errors.jsonl", [*analysis.errors.examples, *relation_errors])
    write_lines(folder / "noise.jsonl", analysis.noise)


def write_lines(file: Path, rows: Iterable[dict[str, Any]]) -> None:
    with open(file, "w", encoding="utf-8") as opened:
        opened.writelines(write_line(row) for row in rows)
