"""
Decodes independently scored span labels into the mentions of a sentence.

`argmax` takes every span whose best label is not O. The others forbid overlapping mentions (`greedy`, `exact`) or
crossing ones (`nested`). Parts of discontinuous entities may overlap anything.
"""

from typing import TYPE_CHECKING

import numpy as np
import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.labels.mentions import Mention, best_apart, most_probable_apart, without_crossing
from ner_zoo.structures import Independent
from ner_zoo.structures.labelled_spans import LabelledSpans, hull

if TYPE_CHECKING:
    from ner_zoo.labels.spans import SpanLabels


class SpanDecoder(Registrable):
    """
    Base class: one subclass per decoding rule.

    threshold : minimum probability of a mention.
    """

    default_implementation = "argmax"

    def __init__(self, threshold: float = 0.0) -> None:
        if not 0.0 <= threshold <= 1.0:
            raise ConfigurationError(f"threshold is {threshold}. It is a probability: set it to a number from 0 to 1.")
        self.threshold = threshold

    def __call__(self, structure: LabelledSpans, labels: "SpanLabels") -> list[list[Mention]]:
        """The mentions of each sentence, by span index."""
        holds = torch.from_numpy(labels.holds).to(structure.scores.device)
        best = self.usable(structure, labels).best()  # (batch, spans)
        probability = structure.marginals() @ holds.to(structure.scores.dtype)  # (batch, spans, types)
        picked = self.picked(holds[best], probability) & structure.mask.unsqueeze(2)
        picked &= probability >= self.threshold
        found = self._mentions(picked, probability, gains(structure, best), hull(structure.spans), labels.is_part)
        return [self._consistent(mentions) for mentions in found]

    def usable(self, structure: Independent, labels: "SpanLabels") -> Independent:
        """The structure without the labels that the rule cannot use."""
        return structure

    def picked(self, best: BoolTensor, probability: Tensor) -> BoolTensor:
        """The initial types of each span, from the types of the best labels: `(batch, spans, types)`."""
        return best

    def choose(self, mentions: list[Mention]) -> list[Mention]:
        """Selects compatible mentions of a sentence, excluding parts."""
        return mentions

    def _consistent(self, mentions: list[Mention]) -> list[Mention]:
        whole = self.choose([mention for mention in mentions if not mention.is_part])
        return sorted(whole + [mention for mention in mentions if mention.is_part])

    def _mentions(
        self, picked: BoolTensor, probability: Tensor, gain: Tensor, hulls: LongTensor, is_part: np.ndarray
    ) -> list[list[Mention]]:
        sentence, place, type = picked.nonzero(as_tuple=True)
        start, end = hulls[sentence, place].unbind(1)
        columns = (sentence, place, type, start, end, probability[sentence, place, type], gain[sentence, place])
        found: list[list[Mention]] = [[] for _ in range(len(picked))]
        for i, at, t, s, e, p, g in zip(*(column.tolist() for column in columns)):
            found[i].append(Mention(at, t, s, e, p, g, bool(is_part[t])))
        return found


def gains(structure: Independent, labels: LongTensor) -> Tensor:
    """The score of each label minus that of O (if there is an O): `(batch, spans)`."""
    chosen = structure.scores.gather(2, labels.unsqueeze(2)).squeeze(2)
    return chosen - structure.scores[..., structure.background] if structure.background >= 0 else chosen


@SpanDecoder.register("argmax")
class Argmax(SpanDecoder):
    """Each span gets its best label, independently of the others."""


class FlatDecoder(SpanDecoder):
    """No two mentions share a token, and no span has two types."""

    @overrides
    def usable(self, structure: Independent, labels: "SpanLabels") -> Independent:
        single = labels.holds[:, ~labels.is_part].sum(1) <= 1
        allowed = torch.from_numpy(single).to(structure.scores.device).expand_as(structure.scores)
        return structure.restrict(allowed)


@SpanDecoder.register("greedy")
class Greedy(FlatDecoder):
    """Greedy: the most probable mention first, then the next one that does not overlap it, and so on."""

    @overrides
    def choose(self, mentions: list[Mention]) -> list[Mention]:
        return most_probable_apart(mentions)


@SpanDecoder.register("exact")
class Exact(FlatDecoder):
    """
    Exact: the best labelling without overlapping mentions:

        best(end) = max(best(end - 1), max over spans [start, end) of best(start) + gain)
    """

    @overrides
    def choose(self, mentions: list[Mention]) -> list[Mention]:
        return best_apart(mentions)


@SpanDecoder.register("nested")
class Nested(SpanDecoder):
    """
    Nested: mentions do not cross, and a span may have several types.

    minimum : take every type with at least this probability, on any span. None: take the types of each span's best
        label.
    may_cross : whether mentions may also cross. If false, the more probable one is kept.
    """

    def __init__(self, minimum: float | None = None, may_cross: bool = False, threshold: float = 0.0) -> None:
        super().__init__(threshold)
        if minimum is not None and not 0.0 < minimum <= 1.0:
            raise ConfigurationError(
                f"minimum is {minimum}. Set it to a probability above 0, or to null to use the best labels."
            )
        self.minimum = minimum
        self.may_cross = may_cross

    @overrides
    def picked(self, best: BoolTensor, probability: Tensor) -> BoolTensor:
        return best if self.minimum is None else probability >= self.minimum

    @overrides
    def choose(self, mentions: list[Mention]) -> list[Mention]:
        return mentions if self.may_cross else without_crossing(mentions)
