"""
Entities and relations: a distribution over taggings and, given a tagging, one over the labels of all pairs.

    P(tags, labels) = P_ent(tags) * prod over pairs of the tagging's entities P_rel(label of the pair | tags)

The pairs depend on the tagging, so this is not a sum of local scores: there is no exact `max` or `log_partition` over
both, and `best` is the best tagging with its best pair labels.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures.chunks import ChunkRules, Chunks, chunks_of
from ner_zoo.structures.independent import Independent
from ner_zoo.structures.log_space import at_least_float32, conditional_entropy
from ner_zoo.structures.pairs import Pairs, first_occurrence, pairs_of, totals
from ner_zoo.structures.structure import UNKNOWN, Structure

# From taggings (n, batch, positions), the chunks of their n * batch rows and pairs of these: scores (pairs, labels).
PairScorer = Callable[[LongTensor, Chunks, Pairs], Tensor]


class JointLabels(NamedTuple):
    """
    Gold entities and relations.

    tags : `(batch, positions)`.
    spans : `(batch, entities, 2)`, the half-open spans of the entities in text order; -1 for padding.
    relations : `(batch, entities, entities)`, the label of each pair above the diagonal.
    """

    tags: LongTensor
    spans: LongTensor
    relations: LongTensor

    def numbers(self, chunks: Chunks) -> LongTensor:
        """The index of the gold entity with the span of each chunk, -1 if there is none: `(chunks,)`."""
        batch, positions = self.tags.shape
        number = self.spans.new_full((batch, positions), -1)
        end = self.spans.new_full((batch, positions), -1)
        sentence, entity = (self.spans[:, :, 0] >= 0).nonzero(as_tuple=True)
        start = self.spans[sentence, entity, 0]
        number[sentence, start], end[sentence, start] = entity, self.spans[sentence, entity, 1]
        place = chunks.sentence % batch, chunks.first
        return number[place].masked_fill(end[place] != chunks.last, -1)

    def of_pairs(self, chunks: Chunks, pairs: Pairs, none: int) -> LongTensor:
        """The gold label of each pair of chunks, `none` unless both are gold spans: `(pairs,)`."""
        number = self.numbers(chunks)
        first, second = number[pairs.first], number[pairs.second]
        if self.spans.shape[1] == 0:
            return torch.full_like(first, none)
        sentence = chunks.sentence[pairs.first] % len(self.tags)
        labels = self.relations[sentence, first.clamp(min=0), second.clamp(min=0)]
        return labels.masked_fill((first < 0) | (second < 0), none)

    def has_unknown_tags(self, chunks: Chunks) -> BoolTensor:
        """Whether the tag of any position of each chunk is unknown: `(chunks,)`."""
        before = torch.nn.functional.pad((self.tags == UNKNOWN).long().cumsum(1), (1, 0))
        sentence = chunks.sentence % len(self.tags)
        return before[sentence, chunks.last] > before[sentence, chunks.first]  # type: ignore[return-value]


@dataclass(eq=False)
class Relations:
    """
    The distribution over the labels of all pairs of entities, given taggings: pairs are independent.

    chunks, pairs : of all rows; there are `rows` rows, a batch per tagging.
    distinct : `(scored,)`, the indices of the pairs that were scored.
    copy_of : `(pairs,)`, the index of each pair among those: taggings of a sentence share identical pairs.
    distinct_scores : `(scored, labels)`.
    """

    rows: int
    chunks: Chunks
    pairs: Pairs
    distinct: LongTensor
    copy_of: LongTensor
    distinct_scores: Tensor

    def __post_init__(self) -> None:
        self.distinct_scores = at_least_float32(self.distinct_scores)

    @property
    def row(self) -> LongTensor:
        """The row of each pair."""
        return self.chunks.sentence[self.pairs.first]

    def probabilities(self) -> Tensor:
        """`(pairs, labels)`."""
        return self.distinct_scores.softmax(1)[self.copy_of]

    def entropy(self) -> Tensor:
        """The joint value for all pairs of a row: `(rows,)`."""
        each = conditional_entropy(self.distinct_scores, 1)[self.copy_of]
        return totals(each, self.row, self.rows)

    def best(self) -> LongTensor:
        """`(pairs,)`."""
        return self.distinct_scores.argmax(1)[self.copy_of]

    def sample(self) -> LongTensor:
        """A sampled label for each pair: `(pairs,)`."""
        cumulative = self.distinct_scores.detach().double().softmax(1).cumsum(1)[self.copy_of]
        threshold = cumulative[:, -1:] * torch.rand(len(cumulative), 1, dtype=torch.float64, device=cumulative.device)
        drawn = torch.searchsorted(cumulative, threshold, right=True).squeeze(1)
        return drawn.clamp(max=cumulative.shape[1] - 1)

    def log_probability(self, labels: LongTensor) -> Tensor:
        """The joint value for all pairs of a row: `(rows,)`."""
        log_probabilities = self.distinct_scores.log_softmax(1).index_select(0, self.copy_of)
        return totals(log_probabilities.gather(1, labels.unsqueeze(1)).squeeze(1), self.row, self.rows)


class Joint:
    """
    entities : the distribution over taggings.
    score_pairs : scores the labels of pairs, for all taggings of all sentences at once.
    rules : which tags form entities.
    none : the label of an unrelated pair.
    """

    def __init__(self, entities: Structure, score_pairs: PairScorer, rules: ChunkRules, none: int) -> None:
        self.entities = entities
        self.score_pairs = score_pairs
        self.rules = rules
        self.none = none
        self._best: tuple[LongTensor, Relations] | None = None

    @property
    def mask(self) -> BoolTensor:
        return self.entities.mask

    def given(self, tags: LongTensor) -> Relations:
        """
        The relations of the entities of taggings `(n, batch, positions)`. Row `i * batch + b` is tagging i of sentence
        b.
        """
        rows = tags.shape[0] * tags.shape[1]
        mask = self.mask.repeat(len(tags), 1)
        chunks = chunks_of(tags.flatten(0, 1), mask, self.rules)
        pairs = pairs_of(chunks, rows)
        numbers = torch.arange(len(pairs.first), device=tags.device)
        if len(numbers) == 0:
            return Relations(rows, chunks, pairs, numbers, numbers, self._no_scores(tags))
        if len(tags) == 1:
            return Relations(rows, chunks, pairs, numbers, numbers, self.score_pairs(tags, chunks, pairs))
        earliest = first_occurrence(tags, self.mask, self.rules, chunks, pairs)
        is_distinct = earliest == numbers
        place = is_distinct.long().cumsum(0) - 1
        distinct = is_distinct.nonzero().squeeze(1)
        scores = self.score_pairs(tags, chunks, Pairs(pairs.first[distinct], pairs.second[distinct]))
        return Relations(rows, chunks, pairs, distinct, place[earliest], scores)

    def given_gold(self, gold: JointLabels) -> Relations:
        """The relations of the gold entities."""
        tags = gold.tags.masked_fill((gold.tags == UNKNOWN) | ~self.mask, max(self.entities.background, 0))
        return self.given(tags.unsqueeze(0))

    def log_annotation(self, gold: JointLabels) -> Tensor:
        """The log-probability of the annotation, tags and pairs together: `(batch,)`."""
        relations = self.given_gold(gold)
        labels = gold.of_pairs(relations.chunks, relations.pairs, self.none)
        log_probabilities = relations.probabilities().log().gather(1, labels.clamp(min=0).unsqueeze(1)).squeeze(1)
        pairs = totals(log_probabilities.masked_fill(labels == UNKNOWN, 0.0), relations.row, relations.rows)
        return self.entities.log_annotation(gold.tags) + pairs

    def factors(self, gold: JointLabels) -> list[tuple[Structure, LongTensor]]:
        """The tags and, independently, the pairs of the gold entities; see `Structure.factors`."""
        relations = self.given_gold(gold)
        labels = gold.of_pairs(relations.chunks, relations.pairs, self.none).unsqueeze(1)  # (pairs, 1)
        scores = relations.distinct_scores[relations.copy_of].unsqueeze(1)  # (pairs, 1, labels)
        pairs = Independent(scores, torch.ones_like(labels, dtype=torch.bool), self.none)
        return [(self.entities, gold.tags), (pairs, labels)]

    def tempered(self, temperature: float) -> "Joint":
        """The same structure with all scores, of tags and pairs, divided by `temperature`."""
        if temperature == 1.0:
            return self

        def score_pairs(tags: LongTensor, chunks: Chunks, pairs: Pairs) -> Tensor:
            return self.score_pairs(tags, chunks, pairs) / temperature

        return Joint(self.entities.tempered(temperature), score_pairs, self.rules, self.none)

    def best(self) -> tuple[LongTensor, Relations]:
        """The best tagging `(batch, positions)` and its relations; cached."""
        if self._best is None:
            tags = self.entities.best()
            self._best = tags, self.given(tags.unsqueeze(0))
        return self._best

    def entropy(self) -> Tensor:
        """
        The exact entropy of the tagging, plus the entropy of the relations given the best tagging: `(batch,)`. The
        exact joint entropy would require scoring the relations of all other taggings.
        """
        _, relations = self.best()
        return self.entities.entropy() + relations.entropy()

    def _no_scores(self, tags: LongTensor) -> Tensor:
        """
        Zero scores that depend on the scores of a dummy pair: distributed training would wait forever for the gradients
        of parameters that one process does not use.
        """
        zero = tags.new_zeros(1)
        chunk = Chunks(zero, zero, zero + 1, zero)
        return self.score_pairs(tags[:1], chunk, Pairs(zero, zero))[:0]
