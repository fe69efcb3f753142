"""
Local loss of a joint model: a weighted sum of separate losses for entities and relations.

    L = L_ent + weight L_rel          L_ent: mean over tokens          L_rel: mean over candidate pairs

In training, the candidate pairs are all pairs of entities of two taggings: the gold tagging, and one that has the gold
tag of each token with probability `gold_probability` and otherwise the predicted one (scheduled sampling). To the pairs
of the latter, the published code adds only the related pairs of gold entities, and reads the same tags for them. A pair
is unrelated unless both spans are gold, regardless of the types of its entities. A pair with an entity on words without
a known tag is left out: it may be related.
"""

from typing import NamedTuple

import torch
from allennlp.common.checks import ConfigurationError
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.structures.chunks import Chunks
from ner_zoo.structures.independent import Independent
from ner_zoo.structures.joint import Joint, JointLabels, Relations
from ner_zoo.structures.pairs import Pairs, totals
from ner_zoo.structures.structure import UNKNOWN, Structure

AVERAGES = ("positions", "sentences")
GOLD_PAIRS = ("all", "related")


class ScoredPairs(NamedTuple):
    """Scores `(pairs, labels)`; gold label and sentence of each pair, `(pairs,)`."""

    scores: Tensor
    labels: LongTensor
    sentence: LongTensor


class LocalJointLoss(torch.nn.Module):
    """
    entities : any loss on tags.
    relations : any loss on independent labels.
    relation_weight : weight of the relations relative to the entities.
    average : over the `positions` (tokens, pairs) of each sentence and then over sentences, as in the paper, or over
        `sentences` only, with a sum over positions.
    gold_pairs : the pairs of gold entities to learn from: `all`, with gold tags, or only the `related` ones, with the
        tags of scheduled sampling, as in the published code.
    """

    def __init__(
        self,
        entities: Loss,
        relations: Loss,
        relation_weight: float = 1.0,
        average: str = "positions",
        gold_pairs: str = "all",
    ) -> None:
        super().__init__()
        if average not in AVERAGES:
            raise ConfigurationError(f"There is no average over {average!r}. Use one of {', '.join(AVERAGES)}.")
        if gold_pairs not in GOLD_PAIRS:
            raise ConfigurationError(
                f"There is no option {gold_pairs!r} of gold_pairs. Use one of {', '.join(GOLD_PAIRS)}."
            )
        self.entities = entities
        self.relations = relations
        self.relation_weight = relation_weight
        self.average = average
        self.gold_pairs = gold_pairs
        # Set by the callback `scheduled_sampling`; 0 corresponds to prediction.
        self.gold_probability = 0.0

    def forward(self, joint: Joint, gold: JointLabels) -> Tensor:
        return self._entities(joint.entities, gold.tags) + self.relation_weight * self._relations(joint, gold)

    def _entities(self, structure: Structure, gold: LongTensor) -> Tensor:
        if self.average == "sentences":
            return self.entities(structure, gold)
        lengths = structure.mask.sum(1).clamp(min=1)
        if self.entities.handles_unknown or not bool(((gold == UNKNOWN) & structure.mask).any()):
            return (self.entities.per_sentence(structure, gold) / lengths).mean()
        # The loss itself handles words without a tag, or leaves sentences out.
        return self.entities(structure, gold) / lengths.float().mean()

    def _relations(self, joint: Joint, gold: JointLabels) -> Tensor:
        batch = len(gold.tags)
        pairs = self._pairs(joint, gold)
        known = pairs.labels != UNKNOWN
        scores, labels = pairs.scores[known].unsqueeze(1), pairs.labels[known].unsqueeze(1)
        each = Independent(scores, torch.ones_like(labels, dtype=torch.bool), joint.none)
        losses = self.relations.per_sentence(each, labels)  # (pairs,)
        sentence = pairs.sentence[known]
        if self.average == "positions":
            losses = losses / torch.bincount(sentence, minlength=batch)[sentence]
        return totals(losses, sentence, batch).mean()

    def _pairs(self, joint: Joint, gold: JointLabels) -> ScoredPairs:
        if not self.training:
            return of_taggings(joint.best()[1], joint, gold)
        is_known = (gold.tags != UNKNOWN) & joint.mask
        tags = torch.where(is_known, gold.tags, max(joint.entities.background, 0))
        mixed = self.mixed(joint, tags, is_known)
        if self.gold_pairs == "all":
            return of_taggings(joint.given(torch.stack([mixed, tags])), joint, gold)
        relations = joint.given(mixed.unsqueeze(0))
        found, related = of_taggings(relations, joint, gold), related_pairs(mixed, relations.chunks, joint, gold)
        return found if related is None else ScoredPairs(*map(torch.cat, zip(found, related)))

    def mixed(self, joint: Joint, tags: LongTensor, is_known: BoolTensor) -> LongTensor:
        """Scheduled sampling: gold tags with the current probability, predicted ones elsewhere."""
        is_gold = torch.rand(tags.shape, device=tags.device) < self.gold_probability
        return torch.where(is_gold & is_known, tags, joint.entities.best())


def of_taggings(relations: Relations, joint: Joint, gold: JointLabels) -> ScoredPairs:
    """All pairs of the entities of some taggings; labels on words without a known tag are unknown."""
    labels = gold.of_pairs(relations.chunks, relations.pairs, joint.none)
    is_unknown = gold.has_unknown_tags(relations.chunks)
    labels = labels.masked_fill(is_unknown[relations.pairs.first] | is_unknown[relations.pairs.second], UNKNOWN)
    sentence = relations.row[relations.distinct] % len(gold.tags)
    return ScoredPairs(relations.distinct_scores, labels[relations.distinct], sentence)


def related_pairs(tags: LongTensor, found: Chunks, joint: Joint, gold: JointLabels) -> ScoredPairs | None:
    """The related pairs of gold entities that are not both among the chunks found, if any, scored with these tags."""
    is_entity = gold.spans[:, :, 0] >= 0
    sentence, entity = is_entity.nonzero(as_tuple=True)
    first, last = gold.spans[sentence, entity].unbind(1)
    chunks = Chunks(sentence, first, last, torch.zeros_like(first))
    number = gold.spans.new_full(gold.spans.shape[:2], -1)
    number[sentence, entity] = torch.arange(len(sentence), device=number.device)
    is_found = torch.zeros_like(number, dtype=torch.bool)
    known = gold.numbers(found)
    is_found[found.sentence[known >= 0], known[known >= 0]] = True
    is_related = (gold.relations != joint.none) & (gold.relations != UNKNOWN)
    is_missing = both(is_entity) & is_related & ~both(is_found)
    row, one, other = is_missing.triu(1).nonzero(as_tuple=True)
    if len(row) == 0:
        return None
    pairs = Pairs(number[row, one], number[row, other])
    scores = joint.score_pairs(tags.unsqueeze(0), chunks, pairs)
    return ScoredPairs(scores, gold.relations[row, one, other], row)


def both(entities: BoolTensor) -> BoolTensor:
    """Whether a statement holds for both entities of each pair: `(batch, entities, entities)`."""
    return entities.unsqueeze(2) & entities.unsqueeze(1)
