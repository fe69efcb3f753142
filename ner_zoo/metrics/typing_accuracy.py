"""
Accuracy of types on given spans. This is not F1, because no spans had to be found.

    accuracy = sum over spans of |predicted types ∩ gold types| / sum over spans of max(|predicted types|, |gold types|)

With one type per span, this is the share of correct spans.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from allennlp.training.metrics import Metric
from overrides import overrides

from ner_zoo.annotation import Entity
from ner_zoo.data.span_arrays import Fragments
from ner_zoo.platform.distributed import sum_over_processes

RIGHT, ALL = "right", "all"


@Metric.register("typing_accuracy")
class TypingAccuracy(Metric):
    """
    main : the metric that the counts of sentences compute.
    sentence_counts : correct, predicted and gold counts of each sentence, in processing order. Predicted and gold are
        both the denominator of the accuracy, so that their F1 is the accuracy. They are kept after an evaluation until
        the next one starts.
    """

    main = "typing_accuracy"

    def __init__(self) -> None:
        # The figures for all spans, discontinuous spans, overlapping spans, and the rest.
        self._counts: dict[str, Counter] = defaultdict(Counter)
        self._is_new = True
        self.sentence_counts: list[tuple[int, int, int]] = []

    @overrides(check_signature=False)
    def __call__(  # type: ignore[override]
        self, predicted: Sequence[Iterable[Entity]], gold: Sequence[Iterable[Entity]]
    ) -> None:
        """Adds a batch of sentences; predicted entities are on the spans of the gold ones."""
        if self._is_new:
            self._is_new, self.sentence_counts = False, []
        for some, others in zip(predicted, gold):
            found, wanted = _by_span(some), _by_span(others)
            in_sentence: Counter = Counter()
            for span, types in wanted.items():
                counts = {RIGHT: len(types & found[span]), ALL: max(len(types), len(found[span]))}
                in_sentence.update(counts)
                for kind in ("", _kind(span, wanted)):
                    self._counts[kind].update(counts)
            self.sentence_counts.append((in_sentence[RIGHT], in_sentence[ALL], in_sentence[ALL]))

    @overrides
    def get_metric(self, reset: bool = False) -> dict[str, float]:
        """The accuracy; with `reset`, which ends an evaluation, also for flat, nested and discontinuous spans."""
        counts = self._counts
        if reset:
            counts = sum_over_processes(counts)
            self.reset()
        kinds = sorted(counts) if reset else [kind for kind in counts if not kind]
        return {
            f"typing_accuracy{kind}": counts[kind][RIGHT] / counts[kind][ALL] for kind in kinds if counts[kind][ALL]
        }

    @overrides
    def reset(self) -> None:
        self._counts, self._is_new = defaultdict(Counter), True


def _by_span(entities: Iterable[Entity]) -> defaultdict[Fragments, set[str]]:
    types: defaultdict[Fragments, set[str]] = defaultdict(set)
    for entity in entities:
        types[entity.fragments].add(entity.type)
    return types


def _kind(span: Fragments, others: Iterable[Fragments]) -> str:
    if len(span) > 1:
        return "/discontinuous"
    start, end = span[0]
    is_nested = any(other != span and other[0][0] < end and start < other[-1][1] for other in others)
    return "/nested" if is_nested else "/flat"
