"""
Text histograms: bars whose length is the share.
"""

import sys
from collections import Counter
from collections.abc import Sequence

from ner_zoo.rendering.tables import text_table

BAR_WIDTH = 40
MOST_ROWS = 40


def histogram(title: str, counts: Sequence[tuple[str, int]]) -> str:
    """One bar per count, under a title; empty without counts."""
    if not counts:
        return ""
    total = sum(count for _, count in counts)
    largest = max(1, max(count for _, count in counts))
    block = "█" if (sys.stdout.encoding or "").lower().startswith("utf") else "#"
    rows: list[list[str]] = []
    bars: list[str] = []
    for name, count in counts[:MOST_ROWS]:
        rows.append([name, f"{count:,}", f"{100 * count / max(1, total):.1f} %"])
        bars.append(block * max(1 if count else 0, round(BAR_WIDTH * count / largest)))
    lines = [f"  {row}  {bar}".rstrip() for row, bar in zip(text_table(rows), bars)]
    if len(counts) > MOST_ROWS:
        rest = sum(count for _, count in counts[MOST_ROWS:])
        lines.append(f"  … and {len(counts) - MOST_ROWS} more with {rest:,}")
    return "\n".join([f"{title} ({total:,})", *lines])


def ranges(counts: Counter) -> list[tuple[str, int]]:
    """Groups integer counts: single values up to 4, then ranges that double in size: 5–8, 9–16, …"""
    if not counts:
        return []
    found: list[tuple[str, int]] = []
    first, last = 0, 0
    while first <= max(counts):
        name = str(first) if first == last else f"{first}–{last}"
        found.append((name, sum(count for number, count in counts.items() if first <= number <= last)))
        first, last = last + 1, last + 1 if last < 4 else 2 * last
    return found[1:] if found[0][1] == 0 else found
