"""
Minimum risk training: minimises the expected cost, based on sentence-level F1, over a set Y' of sampled outputs.

    Q(y) = [P(E)^mu P(R|E)^(1-mu)]^alpha, renormalised over Y'            risk = sum over Y' of Q(y) cost(y)

Y' consists of the gold output and K - 1 other taggings, drawn as in `structures.taggings`, each with sampled or best
relations. The cost is 1 - F_ent (`entities`), 1 - F_rel (`relations`) or the mean of both (`both`). With gamma, the
model's own Gamma(y) = 1 - Q(y) is added to the cost, and the gold output must have less of it than y*, the output with
the lowest:

    paper (eq. 5):      sum Q(y) (cost(y) - Q(y))        + [1 - Q(gold) + Q(y*)]+
    reference (code):   sum Q(y) (cost(y) + 1 - Q(y)) / 2 + [1 - Q(gold) + Q(y*)]+

Gamma alone, `cost: none`, drops cost(y) and, in the code's form, the division by two. The gradient flows through Q, not
through the draw: d risk = alpha sum Q(y) (cost(y) - risk) d[mu log P(E) + (1-mu) log P(R|E)]. With mu = 1 the relation
decoder therefore gets no gradient from the risk; it only determines the cost of taggings.
"""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.data.tag_schemes import OUTSIDE
from ner_zoo.labels.spans import SpanLabels
from ner_zoo.labels.tags import TagLabels
from ner_zoo.losses.loss import Loss
from ner_zoo.losses.risk_cost import entity_f1, relation_f1
from ner_zoo.structures.chunks import ChunkRules, chunks_of
from ner_zoo.structures.joint import Joint, JointLabels, Relations
from ner_zoo.structures.structure import UNKNOWN, Structure
from ner_zoo.structures.taggings import Taggings, distinct_taggings, log_probabilities

# The weights of 1 - F_ent and 1 - F_rel.
COSTS = {"entities": (1.0, 0.0), "relations": (0.0, 1.0), "both": (0.5, 0.5), "none": (0.0, 0.0)}
RIVALS = ("any", "other")


class Drawn(NamedTuple):
    """The set Y': its taggings, and the label of each pair of their entities, if relations matter."""

    taggings: Taggings
    relations: LongTensor | None


class Outcomes(NamedTuple):
    """Each `(K, batch)`, gold first: log P(E), log P(R|E), the cost, and whether the output exists."""

    entities: Tensor
    relations: Tensor
    cost: Tensor
    exists: BoolTensor


@Loss.register("minimum_risk")
class MinimumRisk(Loss):
    """
    cost : `entities`, `relations`, `both` or, with gamma, `none`. Models without relations support only `entities`.
    num_samples : K, including the gold output; having fewer distinct outputs is not an error.
    alpha : sharpness of Q.
    mu : weight of entities relative to relations in Q.
    gamma : whether to add the learned loss and its margin.
    rival : choice of y*: `any` output of the set as in eq. 5, where the margin has no gradient while the gold output is
        the most probable, or the best `other` than gold.
    risk : form of the risk with gamma: `paper` or `reference` (the published code).
    epsilon : probability that a position of a draw ignores its scores.
    sample_relations : sample the relations of a tagging; false takes the best ones ("only sampling entity").
    max_draws : number of taggings to draw in order to find distinct ones (default: 4 times the number needed).
    scheme, namespace : tag scheme and vocabulary namespace, as in the model.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        cost: str = "entities",
        num_samples: int = 3,
        alpha: float = 1e-4,
        mu: float = 1.0,
        gamma: bool = False,
        rival: str = "any",
        risk: str = "paper",
        epsilon: float = 0.1,
        sample_relations: bool = True,
        max_draws: int | None = None,
        scheme: str = "",
        namespace: str = "labels",
    ) -> None:
        super().__init__()
        _check(cost, gamma, num_samples, mu, epsilon, risk, rival)
        self.cost = cost
        self.num_samples = num_samples
        self.alpha = alpha
        self.mu = mu
        self.gamma = gamma
        self.rival = rival
        self.risk = risk
        self.epsilon = epsilon
        self.sample_relations = sample_relations
        self.max_draws = 4 * (num_samples - 1) if max_draws is None else max_draws
        names = vocab.get_index_to_token_vocabulary(namespace)
        self.rules = _rules([names[i] for i in range(len(names))], scheme)
        # Set by the callback `mrt_sampling` if it draws without dropout; by default, the loss draws from its structure.
        self.drawn: Drawn | None = None

    @overrides(check_signature=False)
    def forward(self, structure: Structure | Joint, gold: LongTensor | JointLabels) -> Tensor:
        if isinstance(structure, Joint):
            unknown = (gold.tags == UNKNOWN) & structure.mask  # type: ignore[union-attr]
            if self.training and bool(unknown.any()):
                raise ConfigurationError(
                    f"{int(unknown.any(1).sum())} of {len(unknown)} training sentences have words without a known "
                    f"tag, but minimum_risk needs the F1 of whole sentences. Use a version of the corpus without UNK "
                    f"tags."
                )
            return self.per_sentence(structure, gold).mean()
        return super().forward(structure, gold)

    @overrides(check_signature=False)
    def per_sentence(self, structure: Structure | Joint, gold: LongTensor | JointLabels) -> Tensor:
        if isinstance(structure, Joint):
            return self.risk_of(self.joint_outcomes(structure, gold))
        return self.risk_of(self.outcomes(structure, gold))

    def risk_of(self, outcomes: Outcomes) -> Tensor:
        """`(batch,)`."""
        q = self.log_q(outcomes).exp()
        if not self.gamma:
            return (q * outcomes.cost).sum(0)
        if self.risk == "paper":
            risk = (q * (outcomes.cost - q)).sum(0)
        else:
            risk = (q * (outcomes.cost + 1 - q)).sum(0) / (1 if self.cost == "none" else 2)
        rivals = q if self.rival == "any" else torch.cat([q[1:], torch.zeros_like(q[:1])])
        return risk + (1 - q[0] + rivals.amax(0)).clamp(min=0)

    def log_q(self, outcomes: Outcomes) -> Tensor:
        """`(K, batch)`, -inf for an output that does not exist."""
        # Avoid 0 * -inf for impossible outputs.
        weights = (self.alpha * self.mu, self.alpha * (1 - self.mu))
        parts = zip(weights, (outcomes.entities, outcomes.relations))
        log_weights = torch.stack([weight * part for weight, part in parts if weight != 0] or [outcomes.cost * 0]).sum(
            0
        )
        return log_weights.masked_fill(~outcomes.exists, -inf).log_softmax(0)

    def outcomes(self, structure: Structure, gold: LongTensor) -> Outcomes:
        """Outputs of a tagger or a span classifier."""
        self.refuse_relations()
        taggings = self.taggings(structure, gold)
        probabilities = log_probabilities(structure, taggings.labels)
        rules, rows = self.rules.to(gold.device), taggings.exists.numel()
        chunks = chunks_of(taggings.labels.flatten(0, 1), structure.mask.repeat(len(taggings.labels), 1), rules)
        cost = 1 - entity_f1(chunks, gold, structure.mask, rules, rows).view_as(probabilities)
        cost = COSTS[self.cost][0] * cost.to(probabilities.dtype)
        return Outcomes(probabilities, torch.zeros_like(probabilities), cost, taggings.exists)

    def draw(self, structure: Structure | Joint, gold: LongTensor | JointLabels) -> Drawn:
        """The set Y' of a structure, for another one of the same sentences."""
        with torch.no_grad():
            if not isinstance(structure, Joint):
                return Drawn(self.taggings(structure, gold), None)  # type: ignore[arg-type]
            taggings = self.taggings(structure.entities, gold.tags)  # type: ignore[union-attr]
            return Drawn(taggings, self.relation_labels(structure.given(taggings.labels)))

    def taggings(self, structure: Structure, gold: LongTensor) -> Taggings:
        if self.drawn is not None:
            return self.drawn.taggings
        return distinct_taggings(structure, gold, self.num_samples, self.epsilon, self.max_draws)

    def relation_labels(self, relations: Relations) -> LongTensor:
        if self.drawn is not None and self.drawn.relations is not None:
            return self.drawn.relations
        return relations.sample() if self.sample_relations else relations.best()

    def refuse_relations(self) -> None:
        """For models without relations."""
        if COSTS[self.cost][1]:
            raise ConfigurationError(
                f"The cost `{self.cost}` of minimum_risk needs relations, which this model does not have. "
                "Use the cost `entities`, or the model `joint_relation` with the callback `mrt_sampling`."
            )

    def joint_outcomes(self, joint: Joint, gold: JointLabels) -> Outcomes:
        entity_weight, relation_weight = COSTS[self.cost]
        if self.mu == 1 and not relation_weight:
            return self.outcomes(joint.entities, gold.tags)
        taggings = self.taggings(joint.entities, gold.tags)
        entities = log_probabilities(joint.entities, taggings.labels)
        # With mu = 1 relations need no gradient.
        with torch.set_grad_enabled(torch.is_grad_enabled() and self.mu < 1):
            relations = joint.given(taggings.labels)
            labels = self.relation_labels(relations)
            is_gold = relations.row < len(gold.tags)
            labels = torch.where(is_gold, gold.of_pairs(relations.chunks, relations.pairs, joint.none), labels)
            log_relations = relations.log_probability(labels).view_as(entities)
        f_entities = entity_f1(relations.chunks, gold.tags, joint.mask, joint.rules, relations.rows)
        f_relations = relation_f1(relations, labels, gold, joint.mask, joint.rules, joint.none)
        cost = entity_weight * (1 - f_entities) + relation_weight * (1 - f_relations)
        return Outcomes(entities, log_relations, cost.view_as(entities).to(entities.dtype), taggings.exists)


def _rules(names: Sequence[str], scheme: str) -> ChunkRules:
    """Chunk rules for tags or for bare types, depending on the names."""
    is_tagged = scheme or any(name[1:2] == "-" for name in names if name != OUTSIDE)
    return TagLabels.of(names, scheme).rules if is_tagged else SpanLabels(tuple(names)).rules


def _check(cost: str, gamma: bool, num_samples: int, mu: float, epsilon: float, risk: str, rival: str) -> None:
    if cost not in COSTS:
        raise ConfigurationError(f"There is no cost {cost!r} of minimum_risk. Use one of {', '.join(COSTS)}.")
    if cost == "none" and not gamma:
        raise ConfigurationError(
            "minimum_risk has nothing to minimise without a cost and without gamma. Set one of them."
        )
    if num_samples < 2:
        raise ConfigurationError(f"num_samples is {num_samples}. It includes the gold output: set it to 2 or more.")
    if not 0 <= mu <= 1 or not 0 <= epsilon <= 1:
        raise ConfigurationError(f"mu is {mu} and epsilon {epsilon}. Set both to numbers from 0 to 1.")
    if risk not in ("paper", "reference"):
        raise ConfigurationError(f"There is no risk {risk!r}. Use `paper` or `reference`.")
    if rival not in RIVALS:
        raise ConfigurationError(f"There is no rival {rival!r}. Use one of {', '.join(RIVALS)}.")
