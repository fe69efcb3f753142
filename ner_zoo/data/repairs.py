"""Counts repairs made while reading, by kind, with the first locations, and reports them once per file."""

import logging
from collections import Counter

logger = logging.getLogger(__name__)


class Repairs:
    """Counts repairs by kind and remembers their first locations."""

    def __init__(self, examples: int = 3) -> None:
        self.counts: Counter = Counter()
        self.where: dict[str, list[str]] = {}
        self._examples = examples

    def add(self, kind: str, source: str, times: int = 1) -> None:
        """`kind` describes the repair in a few words; `source` is `file:line`; `times` may be 0."""
        if times == 0:
            return
        self.counts[kind] += times
        places = self.where.setdefault(kind, [])
        if len(places) < self._examples:
            places.append(source)

    def report(self, file: str) -> None:
        for kind, count in self.counts.items():
            logger.warning("%s: %s, %d times (first at %s)", file, kind, count, ", ".join(self.where[kind]))
