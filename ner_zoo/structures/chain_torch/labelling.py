"""The score of one given labelling."""

from torch import LongTensor, Tensor

from ner_zoo.structures.potentials import Potentials
from ner_zoo.structures.structure import known


def score(chain: Potentials, labels: LongTensor) -> Tensor:
    labels = known(labels, chain.mask, chain.scores.shape[2])
    if labels.shape[1] == 0:
        return chain.scores.sum((1, 2))
    last = labels.gather(1, (chain.mask.sum(1, keepdim=True) - 1).clamp(min=0)).squeeze(1)
    local = chain.scores.gather(2, labels.unsqueeze(2)).squeeze(2).masked_fill(~chain.mask, 0.0)
    steps = chain.transitions[labels[:, :-1], labels[:, 1:]].masked_fill(~chain.mask[:, 1:], 0.0)
    total = chain.start[labels[:, 0]] + local.sum(1) + steps.sum(1) + chain.end[last]
    return total.masked_fill(~chain.mask.any(1), 0.0)
