"""
The verbs of a linear chain on the CPU, by compiled loops; the same functions and results as `chain_torch`.

What the loops leave undone goes there: sentences whose scores differ so much that their probabilities vanish, and
gradients of gradients.
"""

from ner_zoo.structures.chain_compiled.chunks import chunk_marginals
from ner_zoo.structures.chain_compiled.draw import sample
from ner_zoo.structures.chain_compiled.labelling import lengths, score
from ner_zoo.structures.chain_compiled.likelihood import log_likelihood
from ner_zoo.structures.chain_compiled.search import best, n_best
from ner_zoo.structures.chain_compiled.sums import log_partition, marginals

__all__ = [
    "best",
    "chunk_marginals",
    "lengths",
    "log_likelihood",
    "log_partition",
    "marginals",
    "n_best",
    "sample",
    "score",
]
