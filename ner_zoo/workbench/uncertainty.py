"""
How much a model has to learn from a text: four measures, each exact under the model and higher for what to annotate.

    entropy            -sum_y p(y) log p(y)                              over all labellings of the text
    least_confidence   -log p(y1)                                        y1, y2: the two best labellings
    margin             -log (p(y1) - p(y2))
    f1_gain            (2 - F) E[missed] + F E[spurious]                 F: the F1 that the model expects of itself

The sentences of a text are independent, so the numbers of a text follow from those of its sentences. `f1_gain` is how
much the F1 of all texts together would rise, to first order, if the errors in this one were corrected, but for a factor
that is the same for all. It needs the totals over all texts, and so is worked out when all have been read.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import expm1, log
from typing import Any

import torch
from overrides import overrides

from ner_zoo.labels import Labels
from ner_zoo.structures import Structure
from ner_zoo.structures.joint import Joint

# What is kept of a sentence, and of a text, to tell its measure.
Numbers = tuple[float, ...]

# The smallest difference between two probabilities that counts as one.
LEAST = 1e-12


class Measure(ABC):
    """One subclass per measure."""

    @abstractmethod
    def of_sentences(self, labels: Labels, structure: Any) -> list[Numbers]:
        """The numbers of each sentence."""

    def of_text(self, sentences: Sequence[Numbers]) -> Numbers:
        """The numbers of a text, from those of its sentences; there is at least one."""
        return tuple(map(sum, zip(*sentences)))

    def value(self, numbers: Numbers, totals: Numbers) -> float:
        """The measure. `totals` are the sums of the numbers of all texts."""
        return numbers[0]


class Entropy(Measure):
    """For a joint model, that of the tagging and of the relations given the best one: see `Joint.entropy`."""

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
    """For a joint model, that of the taggings alone."""

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
    """The numbers are those of entities that are right, that are predicted, and that there are, as expected."""

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
    """How undecided each type is: the summed variance of "this token (or span) has the type", `(batch, types)`."""
    probabilities = labels.type_marginals(structure)
    return (probabilities * (1 - probabilities)).clamp(min=0.0).sum(1)
