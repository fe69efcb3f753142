"""
Texts in a CSV file with one row per entity.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.annotated_text import AnnotatedText, Mention, check_inside
from ner_zoo.data.corpora.csv_words import CsvRow


def texts_of_rows(rows: Iterable[CsvRow], file: str) -> Iterator[AnnotatedText]:
    """Yields each text with the entities of its consecutive rows."""
    seen: set[int] = set()
    filled = (row for row in rows if row.values)
    for key, group in groupby(filled, key=lambda row: (row.values.get("id", ""), row.values["text"])):
        own = list(group)
        if hash(key) in seen:
            raise ConfigurationError(
                f"{file}:{own[0].line} repeats an earlier text after other texts, so its entities would be split into "
                f"two texts. Sort the rows by text, or give repeated texts different ids."
            )
        seen.add(hash(key))
        mentions: dict[str, Mention] = {}
        for row in own:
            if any(row.values[name].strip() for name in ("start", "end", "type")):
                mentions[str(len(mentions))] = _mention(row, key[1], f"{file}:{row.line}")
        yield AnnotatedText(key[1], f"{file}:{own[0].line}", mentions, has_lines=True)


def _mention(row: CsvRow, text: str, source: str) -> Mention:
    try:
        span = (int(row.values["start"]), int(row.values["end"]))
    except ValueError:
        raise ConfigurationError(
            f"{source} has {row.values['start'][:20]!r} and {row.values['end'][:20]!r}, but numbers are expected."
        ) from None
    if not row.values["type"].strip():
        raise ConfigurationError(f"{source} has an entity without a type.")
    check_inside(text, [span], f"an entity of type {row.values['type']!r}", source)
    return Mention(row.values["type"], (span,), source)
