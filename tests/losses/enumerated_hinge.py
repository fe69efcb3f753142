"""Brute force for the hinge family: y* and every score by enumerating all labellings, one sentence at a time."""

from collections.abc import Callable

import torch
from allennlp.data import Vocabulary
from torch import Tensor

from ner_zoo.labels.tags import TagLabels
from ner_zoo.losses import Loss
from ner_zoo.structures import Independent, LinearChain, Structure
from tests.structures.enumeration import legal_labellings, score_of

TAGS = ["O", "B-ORG", "I-ORG", "B-PER"]
OUT, ORG, IN, PER = range(4)

# Gold labellings of 5 sentences, and the result of the paper's rule for each.
GOLD = [
    (OUT, OUT, PER, OUT),  # the O before the first entity changes
    (OUT, ORG, IN, PER),  # only the one before the first
    (PER, OUT, ORG),  # an entity at the beginning: unchanged
    (OUT, OUT),  # no entity: unchanged
    (),  # no tokens: unchanged
]
ALTERED = [(OUT, ORG, PER, OUT), (ORG, ORG, IN, PER), (PER, OUT, ORG), (OUT, OUT), ()]
UNCHANGED = [2, 3, 4]

STRUCTURES = [f"{kind} {seed}" for kind in ("chain", "constrained", "independent") for seed in range(2)]


def vocabulary(tags: list[str] = TAGS) -> Vocabulary:
    return Vocabulary(tokens_to_add={"labels": tags})


def padded(rows: list[tuple[int, ...]], filler: int = 0) -> Tensor:
    longest = max(len(row) for row in rows)
    return torch.tensor([list(row) + [filler] * (longest - len(row)) for row in rows])


def random_structure(name: str) -> Structure:
    """One of `STRUCTURES` over the sentences of `GOLD`, small enough to write out all of its labellings."""
    kind, seed = name.split()
    torch.manual_seed(int(seed))
    mask = padded([(1,) * len(row) for row in GOLD]).bool()
    scores = torch.randn(*mask.shape, len(TAGS), dtype=torch.float64)
    if kind == "independent":
        return Independent(scores, mask, OUT)
    legal = TagLabels.of(TAGS).constraints()
    transitions, start, end = torch.randn(4, 4).double(), torch.randn(4).double(), torch.randn(4).double()
    return LinearChain(scores, transitions, mask, start, end, legal if kind == "constrained" else None, OUT)


class Enumerated:
    """The ingredients of the formulas for one sentence: `score(y)`, `cost(a, b)`, gold, u and y*."""

    def __init__(self, structure: Structure, sentence: int, price: Callable[[int, int], float]) -> None:
        self.structure, self.sentence, self.price = structure, sentence, price
        self.gold, self.altered = GOLD[sentence], ALTERED[sentence]
        every = legal_labellings(structure, sentence)
        self.violating = max(every, key=lambda labels: float(every[labels]) + self.cost(self.gold, labels))

    def score(self, labels: tuple[int, ...]) -> float:
        return float(score_of(self.structure, self.sentence, labels))

    def cost(self, gold: tuple[int, ...], labels: tuple[int, ...]) -> float:
        return sum(self.price(right, label) for right, label in zip(gold, labels))

    def hinge(self) -> float:
        gold, violating = self.gold, self.violating
        return max(0.0, self.score(violating) + self.cost(gold, violating) - self.score(gold))


def hamming(gold: int, label: int) -> float:
    return float(gold != label)


def enumerated(structure: Structure, price: Callable[[int, int], float] = hamming) -> list[Enumerated]:
    return [Enumerated(structure, sentence, price) for sentence in range(len(GOLD))]


def is_differentiable(loss: Loss, structure: Structure) -> bool:
    """Whether its gradient equals finite differences. Random scores are not at a kink."""
    move = torch.zeros_like(structure.scores, requires_grad=True)
    return torch.autograd.gradcheck(lambda scores: loss.per_sentence(structure.plus(scores), padded(GOLD)), move)
