"""
Entity precision, recall and F1 on decoded annotations: an entity is correct if its type and all its fragments are.

Gold comes from the sentences themselves, so entities that a view or a model cannot represent still count in recall.
Micro-averaged; a zero denominator gives 0, as in conlleval.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from allennlp.training.metrics import Metric
from overrides import overrides

from ner_zoo.annotation import Entity
from ner_zoo.platform.distributed import sum_over_processes


@Metric.register("entity_f1")
class EntityF1(Metric):
    """
    prefix : prefix of the metric names.

    main : the metric that the counts of sentences compute.
    sentence_counts : correct, predicted and gold counts of each sentence, in processing order. They are kept after an
        evaluation until the next one starts.
    """

    def __init__(self, prefix: str = "entity") -> None:
        self.prefix = prefix
        self.main = f"{prefix}_f1"
        self._right: Counter = Counter()
        self._predicted: Counter = Counter()
        self._gold: Counter = Counter()
        self._sentences = 0
        self.sentence_counts: list[tuple[int, int, int]] = []

    @overrides(check_signature=False)
    def __call__(  # type: ignore[override]
        self, predicted: Sequence[Iterable[Entity]], gold: Sequence[Iterable[Entity]]
    ) -> None:
        """Adds the entities of a batch of sentences. Duplicates count once."""
        if not self._sentences:
            self.sentence_counts = []
        for some, others in zip(predicted, gold):
            found, wanted = set(some), set(others)
            right = found & wanted
            self._predicted.update(e.type for e in found)
            self._gold.update(e.type for e in wanted)
            self._right.update(e.type for e in right)
            self.sentence_counts.append((len(right), len(found), len(wanted)))
        self._sentences += len(gold)

    @overrides
    def get_metric(self, reset: bool = False) -> dict[str, float]:
        """
        The overall figures; with `reset`, which ends an evaluation, also those of every type. Empty if nothing was
        counted, as in training.
        """
        right, predicted, gold, sentences = self._right, self._predicted, self._gold, Counter(all=self._sentences)
        if reset:
            own = {"right": right, "predicted": predicted, "gold": gold, "sentences": sentences}
            right, predicted, gold, sentences = sum_over_processes(own).values()
            self.reset()
        if not sentences.total():
            return {}
        metrics = self._figures("", right.total(), predicted.total(), gold.total())
        if reset:
            for type in sorted(predicted | gold):
                metrics.update(self._figures(f"/{type}", right[type], predicted[type], gold[type]))
        return metrics

    def _figures(self, suffix: str, right: int, predicted: int, gold: int) -> dict[str, float]:
        return {
            f"{self.prefix}_precision{suffix}": right / predicted if predicted else 0.0,
            f"{self.prefix}_recall{suffix}": right / gold if gold else 0.0,
            f"{self.prefix}_f1{suffix}": 2 * right / (predicted + gold) if predicted + gold else 0.0,
        }

    @overrides
    def reset(self) -> None:
        self._right, self._predicted, self._gold, self._sentences = Counter(), Counter(), Counter(), 0
