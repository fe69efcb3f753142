"""
A prediction in columns, one token per line: the token and its BIO tags, with an empty line after each sentence.

One tag column contains non-overlapping entities. Nested entities use additional columns, widest first. A fragment of a
discontinuous entity is written as a separate entity, because columns cannot represent gaps.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from ner_zoo.data.tag_schemes import OUTSIDE

# (first token, end token (exclusive), type)
Chunk = tuple[int, int, str]


def to_conll(prediction: Mapping[str, Any]) -> str:
    """Converts an output of the predictor, as returned by `to_dict`."""
    tokens = prediction["tokens"]
    levels = _levels(_chunks(prediction)) or [[]]
    columns = [_tags(level, len(tokens)) for level in levels]
    starts = {start for start, _ in prediction.get("sentences", ())}
    lines: list[str] = []
    for number, token in enumerate(tokens):
        if number and token["start"] in starts:
            lines.append("")
        word = "_".join(token["text"].split()) or "_"
        lines.append("\t".join([word, *(tags[number] for tags in columns)]))
    return "".join(f"{line}\n" for line in [*lines, ""]) if lines else ""


def _chunks(prediction: Mapping[str, Any]) -> list[Chunk]:
    """The token span of each fragment."""
    starts = [token["start"] for token in prediction["tokens"]]
    ends = [token["end"] for token in prediction["tokens"]]
    chunks = []
    for entity in prediction["entities"]:
        for start, end in entity["fragments"]:
            first, last = bisect_right(ends, start), bisect_left(starts, end)
            if first < last:
                chunks.append((first, last, entity["type"]))
    return sorted(chunks, key=lambda chunk: (chunk[0] - chunk[1], chunk))


def _levels(chunks: Sequence[Chunk]) -> list[list[Chunk]]:
    """Puts each chunk into the first level where its tokens are free; a level is sorted and without overlaps."""
    levels: list[list[Chunk]] = []
    for chunk in chunks:
        free = ((level, place) for level in levels if (place := _free_place(level, chunk)) is not None)
        level, place = next(free, ([], 0))
        if not level:
            levels.append(level)
        level.insert(place, chunk)
    return levels


def _free_place(level: list[Chunk], chunk: Chunk) -> int | None:
    """The insertion index of a chunk in a level, if its tokens are free there."""
    place = bisect_left(level, chunk)
    first, last, _ = chunk
    is_free = (place == 0 or level[place - 1][1] <= first) and (place == len(level) or last <= level[place][0])
    return place if is_free else None


def _tags(chunks: Sequence[Chunk], length: int) -> list[str]:
    tags = [OUTSIDE] * length
    for first, last, type in chunks:
        tags[first:last] = [f"B-{type}", *[f"I-{type}"] * (last - first - 1)]
    return tags
