"""
Local loss of a joint model: a weighted sum of separate losses for entities and relations.

    L = L_ent + weight L_rel          L_ent: mean over tokens          L_rel: mean over candidate pairs

In training, the candidate pairs are all pairs of entities of two taggings: the gold tagging, and one that has the gold
tag of each token with probability `gold_probability` and otherwise the predicted one (scheduled sampling). A pair is
unrelated unless both spans are gold, regardless of the types of its entities. A pair with an entity on words without a
known tag is left out: it may be related.
"""

import torch
from allennlp.common.checks import ConfigurationError
from torch import LongTensor, Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.structures.independent import Independent
from ner_zoo.structures.joint import Joint, JointLabels
from ner_zoo.structures.pairs import totals
from ner_zoo.structures.structure import UNKNOWN, Structure

AVERAGES = ("positions", "sentences")


class LocalJointLoss(torch.nn.Module):
    """
    entities : any loss on tags.
    relations : any loss on independent labels.
    relation_weight : weight of the relations relative to the entities.
    average : over the `positions` (tokens, pairs) of each sentence and then over sentences, as in the paper, or over
        `sentences` only, with a sum over positions.
    """

    def __init__(
        self, entities: Loss, relations: Loss, relation_weight: float = 1.0, average: str = "positions"
    ) -> None:
        super().__init__()
        if average not in AVERAGES:
            raise ConfigurationError(f"There is no average over {average!r}. Use one of {', '.join(AVERAGES)}.")
        self.entities = entities
        self.relations = relations
        self.relation_weight = relation_weight
        self.average = average
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
        relations = joint.given(self.candidates(joint, gold)) if self.training else joint.best()[1]
        labels = gold.of_pairs(relations.chunks, relations.pairs, joint.none)
        is_unknown = gold.has_unknown_tags(relations.chunks)
        labels = labels.masked_fill(is_unknown[relations.pairs.first] | is_unknown[relations.pairs.second], UNKNOWN)
        labels = labels[relations.distinct]
        known = labels != UNKNOWN
        scores, labels = relations.distinct_scores[known].unsqueeze(1), labels[known].unsqueeze(1)
        each = Independent(scores, torch.ones_like(labels, dtype=torch.bool), joint.none)
        losses = self.relations.per_sentence(each, labels)  # (pairs,)
        sentence = relations.row[relations.distinct][known] % batch
        if self.average == "positions":
            losses = losses / torch.bincount(sentence, minlength=batch)[sentence]
        return totals(losses, sentence, batch).mean()

    def candidates(self, joint: Joint, gold: JointLabels) -> LongTensor:
        """The taggings whose pairs are used in training: `(2, batch, positions)`."""
        predicted = joint.entities.best()
        is_known = (gold.tags != UNKNOWN) & joint.mask
        tags = torch.where(is_known, gold.tags, max(joint.entities.background, 0))
        is_gold = torch.rand(tags.shape, device=tags.device) < self.gold_probability
        return torch.stack([torch.where(is_gold & is_known, tags, predicted), tags])
