"""
`clean.html`: likely label errors in training data, in the style of `analyze`'s report. A pure function of a `Cleaning`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ner_zoo.analysis.report.document import Section, document, footer
from ner_zoo.analysis.report.examples import named_kind, named_types, suspect_list
from ner_zoo.analysis.report.headline import card
from ner_zoo.analysis.report.table import Cell, chip, count, table
from ner_zoo.rendering.marks import attribute
from ner_zoo.rendering.palette import colours
from ner_zoo.workbench.clean import Cleaning

# More would make the page slow to open.
MOST_SHOWN = 1000
LEVELS = (0.5, 0.9, 0.99)

Record = Mapping[str, Any]


def page(cleaning: Cleaning, command: str) -> str:
    records = cleaning.records()
    types = {entity.type for one in cleaning.data.sentences for entity in one.entities}
    chosen = colours(types | {type for one in records if one["of"] == "entity" for type in named_types(one)})
    kinds = _rows(sorted({named_kind(one) for one in records}), records, lambda one: [named_kind(one)])
    by_kind = table("By kind. Click a column header to sort.", _columns("Kind"), kinds)
    named = sorted({type for one in records for type in named_types(one)})
    by_type = table("By type of gold or proposal.", _columns("Type"), _rows(named, records, named_types, chosen))
    sections = [
        Section("summary", "Summary", _summary(cleaning, records)),
        Section("suspects", "Likely errors", WORDS + suspect_list(records, chosen, "clean.jsonl", MOST_SHOWN)),
        Section("counts", "Distribution", by_kind + by_type if records else ""),
    ]
    files = "Next to this file: clean.jsonl with all likely errors, and the models of all folds."
    return document(f"Label errors in {cleaning.data.path}", "Label errors", sections, footer(command, files))


WORDS = (
    "<p>Each sentence was checked by a model that has not seen it. The probabilities are exact: of gold, of the "
    "model's proposal, and that the sentence contains any error. The confidence compares the first two, each "
    "relative to what is usual for its type.</p>"
)


def _summary(cleaning: Cleaning, records: Sequence[Record]) -> str:
    data = cleaning.data
    entities = sum(len(one.entities) for one in data.sentences)
    relations = sum(len(one.relations) for one in data.sentences)
    what = (
        f'<p class="what"><code>{attribute(data.path)}</code>: {len(data.sentences):,} sentences, {entities:,} '
        f"entities, {relations:,} relations, in {len(set(cleaning.judges.folds))} folds, checked by models of type "
        f"<code>{attribute(cleaning.kind)}</code>.</p>"
    )
    sure = sum(one["confidence"] >= 0.9 for one in records)
    expected = sum(answer.error_probability for answer in cleaning.answers)
    cards = [
        card("Likely errors", f"{len(records):,}", "with at least 50 % confidence", is_main=True),
        card("Sure", f"{sure:,}", "with at least 90 % confidence"),
        card("Sentences", f"{len({one['sentence'] for one in records}):,}", "with at least one of them"),
        card("Expected", f"{expected:,.0f}", "sentences that the models would annotate differently"),
    ]
    return f'{what}<div class="cards">{"".join(cards)}</div>'


def _columns(first: str) -> list[str]:
    return [first, *(f"≥ {100 * level:.0f} %" for level in LEVELS)]


def _rows(names: Sequence[str], records: Sequence[Record], names_of: Any, chosen: Mapping[str, int] = {}) -> list[Any]:
    counts = Counter(
        (name, level)
        for one in records
        for name in set(names_of(one))
        for level in LEVELS
        if one["confidence"] >= level
    )
    return [
        [
            Cell(chip(name, chosen) if chosen else attribute(name), name),
            *(count(counts[name, level]) for level in LEVELS),
        ]
        for name in names
    ]
