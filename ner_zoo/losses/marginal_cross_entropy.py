"""
Cross-entropy between the structure's marginals and target marginals, such as those of a teacher.

    L = - sum_t sum_l q_t(l) log p_t(l)

p are the structure's marginals, so in a chain the probability of a label depends on the whole sentence.
"""

from torch import Tensor

from ner_zoo.structures.structure import Structure

# Bounds the cost of a forbidden or very improbable label.
LEAST = 1e-12


def marginal_cross_entropy(structure: Structure, wanted: Tensor) -> Tensor:
    """`(batch,)`. wanted : q, `(batch, positions, labels)`; 0 under the mask."""
    log_probabilities = structure.marginals().clamp(min=LEAST).log()
    return -(wanted * log_probabilities * structure.mask.unsqueeze(2)).sum((1, 2))
