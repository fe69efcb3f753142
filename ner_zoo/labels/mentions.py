"""
Decodes labelled spans of one sentence in plain Python: selects compatible mentions and builds entities.
"""

import itertools
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

from ner_zoo.annotation import Entity
from ner_zoo.data.fragments import Link, paths, whole
from ner_zoo.data.span_arrays import Fragments
from ner_zoo.labels.prediction import Scored


class Mention(NamedTuple):
    """
    place : index of the span among the candidates.
    type : index of its type.
    start, end : the span's hull.
    score : the probability of the type on the span.
    gain : score of the best label minus the score of O.
    is_part : whether it is a fragment.
    """

    place: int
    type: int
    start: int
    end: int
    score: float
    gain: float
    is_part: bool


def by_score(mentions: list[Mention]) -> list[Mention]:
    """Sort key: most probable first."""
    return sorted(mentions, key=lambda mention: (-mention.score, mention))


def most_probable_apart(mentions: list[Mention]) -> list[Mention]:
    """Greedily selects the most probable mention, then the next one that does not overlap it, and so on."""
    taken: list[Mention] = []
    is_free = [True] * max((mention.end for mention in mentions), default=0)
    for mention in by_score(mentions):
        if all(is_free[mention.start : mention.end]):
            is_free[mention.start : mention.end] = [False] * (mention.end - mention.start)
            taken.append(mention)
    return taken


def best_apart(mentions: list[Mention]) -> list[Mention]:
    """
    Finds the best labelling without overlapping mentions:

        best(end) = max(best(end - 1), max over spans [start, end) of best(start) + gain)
    """
    ordered = sorted((m for m in mentions if m.gain > 0), key=lambda m: m.end)
    ends = [mention.end for mention in ordered]
    # For each prefix of the mentions in this order: the best total, and whether it includes the last mention.
    total, is_in = [0.0], [False]
    before = [bisect_right(ends, mention.start) for mention in ordered]
    for number, mention in enumerate(ordered):
        with_it = total[before[number]] + mention.gain
        is_in.append(with_it > total[number])
        total.append(max(with_it, total[number]))
    chosen: list[Mention] = []
    left = len(ordered)
    while left:
        if is_in[left]:
            chosen.append(ordered[left - 1])
            left = before[left - 1]
        else:
            left -= 1
    return chosen


def without_crossing(mentions: list[Mention]) -> list[Mention]:
    """Of two crossing mentions, keeps the more probable one."""
    taken: list[Mention] = []
    # For the selected mentions: the furthest end of those starting at a token, the first start of those ending there.
    length = max((mention.end for mention in mentions), default=0) + 1
    furthest, earliest = [0] * length, [length] * length
    for mention in by_score(mentions):
        start, end = mention.start, mention.end
        inside = range(start + 1, end)
        if not any(furthest[at] > end or earliest[at] < start for at in inside):
            furthest[start], earliest[end] = max(furthest[start], end), min(earliest[end], start)
            taken.append(mention)
    return taken


def joined(
    mentions: Sequence[Mention],
    spans: Mapping[int, Fragments],
    links: Mapping[Link, float],
    types: Sequence[str],
) -> list[Scored]:
    """
    The entities of a sentence.

    mentions : the output of the decoder.
    spans : the candidate span of each mention, by index.
    links : the probability that two parts are adjacent in one entity; those above one half count.
    types : the names of the mentions' types, by index.
    """
    best: dict[Entity, float] = {}
    parts: dict[int, dict[int, float]] = {}
    for mention in mentions:
        if mention.is_part:
            parts.setdefault(mention.type, {})[mention.place] = mention.score
        else:
            best[Entity(types[mention.type], spans[mention.place])] = mention.score
    certain = [link for link, probability in links.items() if probability > 0.5]
    for type, scores in parts.items():
        for path in paths(scores, certain):
            score = prod(scores[place] for place in path) * prod(links[link] for link in itertools.pairwise(path))
            entity = whole(types[type], path, spans)
            best[entity] = max(score, best.get(entity, 0.0))
    return sorted(best.items(), key=lambda scored: (scored[0].start, -scored[0].end, scored[0].type))
