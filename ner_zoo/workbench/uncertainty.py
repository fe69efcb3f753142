"""
Four measures of how much a model can learn from a text, each exact under the model; higher means annotate first.

    entropy            -sum_y p(y) log p(y)                              over all labellings of the text
    least_confidence   -log p(y1)                                        y1, y2: the two best labellings
    margin             -log (p(y1) - p(y2))
    f1_gain            (2 - F) E[missed] + F E[spurious]                 F: the F1 that the model expects of itself

The sentences of a text are independent, so the values of a text follow from those of its sentences. Up to a constant
factor, `f1_gain` is the first-order increase of the F1 over all texts if the errors in this one were corrected. It
needs the totals over all texts, and is therefore computed after all have been processed.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import expm1, log
from typing import Any

import torch
from overrides import overrides

from ner_zoo.labels.labels import Labels
from ner_zoo.structures import Structure
from ner_zoo.structures.joint import Joint

# The numbers stored per sentence, and per text, to compute the measure.
Numbers = tuple[float, ...]

# The smallest relevant difference between two probabilities.
LEAST = 1e-12


class Measure(ABC):
    """Base class: one subclass per measure."""

    @abstractmethod
    def of_sentences(self, labels: Labels, structure: Any) -> list[Numbers]:
        """The numbers of each sentence."""

    def of_text(self, sentences: Sequence[Numbers]) -> Numbers:
        """The numbers of a text, from those of its sentences; there is at least one."""
        return tuple(map(sum, zip(*sentences)))

    def value(self, numbers: Numbers, totals: Numbers) -> float:
        """The measure. `totals` are the sums of the numbers over all texts."""
        return numbers[0]


class Entropy(Measure):
    """
    For a joint model, the entropy of the tagging plus that of the relations given the best one: see
    `Joint.entropy`.
    """

    @overrides
    def of_sentences(self, labels: Labels, structure: Any) -> list[Numbers]:
        return [(value,) for value in structure.entropy().tolist()]


class LeastConfidence(Measure):
    @overrides
    def of_sentences(self, labels: Labels, structure: Any) -> list[Numbers]:
        entities = entities_of(structure)
        best = entities.max() - entities.log_partition()
        if isinstance(structure, Joint):
            relations = structure.best()[1]
            best = best + relations.log_probability(relations.best())
        return [(-value,) for value in best.clamp(max=0.0).tolist()]


class Margin(Measure):
    """For a joint model, considers the taggings only."""

    @overrides
    def of_sentences(self, labels: Labels, structure: Any) -> list[Numbers]:
        _, log_probabilities = entities_of(structure).n_best(2)
        first, second = log_probabilities.clamp(max=0.0)
        return list(zip(first.tolist(), (first - second).tolist()))

    @overrides
    def of_text(self, sentences: Sequence[Numbers]) -> Numbers:
        """The second best labelling of a text changes the sentence where that costs least."""
        return sum(first for first, _ in sentences), min(gap for _, gap in sentences)

    @overrides
    def value(self, numbers: Numbers, totals: Numbers) -> float:
        first, gap = numbers
        return -first - log(max(-expm1(-gap), LEAST))


class F1Gain(Measure):
    """The expected numbers of correct, predicted and gold entities."""

    @overrides
    def of_sentences(self, labels: Labels, structure: Any) -> list[Numbers]:
        expected = labels.expected_entities(structure).tolist()
        predictions = labels.read(structure)
        right = [sum(score for _, score in prediction.entities) for prediction in predictions]
        predicted = [float(len(prediction.entities)) for prediction in predictions]
        return list(zip(right, predicted, expected))

    @overrides
    def value(self, numbers: Numbers, totals: Numbers) -> float:
        right, predicted, expected = numbers
        f1 = 2 * totals[0] / max(totals[1] + totals[2], LEAST)
        return (2 - f1) * max(expected - right, 0.0) + f1 * max(predicted - right, 0.0)


MEASURES: dict[str, type[Measure]] = {
    "entropy": Entropy,
    "least_confidence": LeastConfidence,
    "margin": Margin,
    "f1_gain": F1Gain,
}


def entities_of(structure: Any) -> Structure:
    """The distribution over entities alone."""
    return structure.entities if isinstance(structure, Joint) else structure


def doubted_types(labels: Labels, structure: Any) -> torch.Tensor:
    """The uncertainty of each type: the summed variance of "this token (or span) has the type", `(batch, types)`."""
    probabilities = labels.type_marginals(structure)
    return (probabilities * (1 - probabilities)).clamp(min=0.0).sum(1)
