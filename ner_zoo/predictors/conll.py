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
    columns = _columns(_chunks(prediction), len(tokens))
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


def _columns(chunks: Sequence[Chunk], length: int) -> list[list[str]]:
    """Puts each chunk into the first column of tags where its tokens are free."""
    columns = [[OUTSIDE] * length]
    taken = [bytearray(length)]
    for first, last, type in chunks:
        number = next((n for n, tokens in enumerate(taken) if 1 not in tokens[first:last]), len(taken))
        if number == len(taken):
            columns.append([OUTSIDE] * length)
            taken.append(bytearray(length))
        columns[number][first:last] = [f"B-{type}", *[f"I-{type}"] * (last - first - 1)]
        taken[number][first:last] = b"\1" * (last - first)
    return columns
