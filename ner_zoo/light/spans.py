"""
Decodes scores of spans into entities: selects compatible labelled spans, and joins parts into entities.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from ner_zoo.annotation import Sentence
from ner_zoo.data.fragments import Link
from ner_zoo.data.span_arrays import PADDING, contiguous, fragments_of, with_gaps
from ner_zoo.labels.abilities import Abilities
from ner_zoo.labels.mentions import Mention, best_apart, joined, most_probable_apart, without_crossing
from ner_zoo.labels.prediction import Prediction

# Selects compatible mentions of a sentence, excluding parts.
CHOICES: dict[str, Callable[[list[Mention]], list[Mention]]] = {
    "argmax": list,
    "greedy": most_probable_apart,
    "exact": best_apart,
    "nested": without_crossing,
}
FLAT = ("greedy", "exact")


def softmax(scores: ndarray) -> ndarray:
    """Softmax over the last dimension."""
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def candidates(settings: Mapping[str, Any], sentences: Sequence[Sentence]) -> ndarray:
    """The candidate spans, padded with -1: `(batch, spans, fragments, 2)`"""
    sizes = {name: value for name, value in settings.items() if name != "type"}
    spans_of = with_gaps if settings["type"] == "gaps" else contiguous
    each = [spans_of(len(sentence.tokens), **sizes) for sentence in sentences]
    found = np.full((len(each), max(map(len, each)), *each[0].shape[1:]), PADDING, dtype=np.int64)
    for row, spans in zip(found, each):
        row[: len(spans)] = spans
    return found


class Spans(Abilities):
    """
    settings : of the labels: `types`, `marked_types` including those of parts, the index of `background` (-1 for none)
        and the `decoder`.
    holds : `(labels, marked types)`, whether a label includes a type.
    is_part : `(marked types,)`
    """

    types: list[str] = []

    def __init__(self, settings: Mapping[str, Any], holds: ndarray, is_part: ndarray) -> None:
        self.types = settings["types"]
        self.marked_types = settings["marked_types"]
        self.background = settings["background"]
        self.rule = settings["decoder"]["type"]
        self.threshold = np.float32(settings["decoder"]["threshold"])
        self.minimum = settings["decoder"]["minimum"]
        self.choose = list if settings["decoder"]["may_cross"] else CHOICES[self.rule]
        self.holds = holds
        self.is_part = is_part

    def read(self, scores: ndarray, spans: ndarray, links: Sequence[Mapping[Link, float]]) -> list[Prediction]:
        """From `(batch, spans, labels)`; links : the probability that two parts are adjacent in one entity."""
        found = []
        for row, some in enumerate(self._mentions(scores, spans)):
            whole = self.choose([mention for mention in some if not mention.is_part])
            mentions = sorted(whole + [mention for mention in some if mention.is_part])
            named = {mention.place: fragments_of(spans[row, mention.place].tolist()) for mention in mentions}
            found.append(Prediction(joined(mentions, named, links[row], self.marked_types)))
        return found

    def parts(self, scores: ndarray, spans: ndarray) -> tuple[ndarray, ndarray]:
        """Which spans are parts, and the probability of each: `(batch, spans)`."""
        stands_for_part = np.asarray(self.holds[:, self.is_part].any(1))
        probability = softmax(scores) @ stands_for_part.astype(scores.dtype)
        best = stands_for_part[scores.argmax(2)]
        return self._picked(best, probability) & (spans[..., 0, 0] >= 0), probability

    def _picked(self, best: ndarray, probability: ndarray) -> ndarray:
        return best if self.minimum is None else probability >= np.float32(self.minimum)

    def _mentions(self, scores: ndarray, spans: ndarray) -> list[list[Mention]]:
        """The labelled spans of each sentence."""
        usable = scores
        if self.rule in FLAT:
            single = self.holds[:, ~self.is_part].sum(1) <= 1
            usable = np.where(single, scores, -np.inf)
        best = usable.argmax(2)  # (batch, spans)
        probability = softmax(scores) @ self.holds.astype(scores.dtype)  # (batch, spans, types)
        picked = self._picked(self.holds[best], probability) & (probability >= self.threshold)
        sentence, place, type = (picked & (spans[:, :, 0, :1] >= 0)).nonzero()
        gain = np.take_along_axis(scores, best[:, :, None], 2)[:, :, 0]
        if self.background >= 0:
            gain = gain - scores[..., self.background]
        start, end = spans[sentence, place, 0, 0], spans[sentence, place, :, 1].max(1)
        columns = (sentence, place, type, start, end, probability[sentence, place, type], gain[sentence, place])
        found: list[list[Mention]] = [[] for _ in scores]
        for i, at, t, s, e, p, g in zip(*(column.tolist() for column in columns)):
            found[i].append(Mention(at, t, s, e, p, g, bool(self.is_part[t])))
        return found
