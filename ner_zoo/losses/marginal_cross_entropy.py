"""
Cross-entropy between marginals: at each position the labels should be as probable as somebody else says.

    L = - sum_t sum_l q_t(l) log p_t(l)

p are the structure's marginals, so that in a chain the probability of a label depends on the whole sentence.
"""

from torch import Tensor

from ner_zoo.structures.structure import Structure

# A label that the structure forbids, or has given up, costs this much and not infinitely much.
LEAST = 1e-12


def marginal_cross_entropy(structure: Structure, wanted: Tensor) -> Tensor:
    """`(batch,)`. wanted : q, `(batch, positions, labels)`; 0 under the mask."""
    log_probabilities = structure.marginals().clamp(min=LEAST).log()
    return -(wanted * log_probabilities * structure.mask.unsqueeze(2)).sum((1, 2))
