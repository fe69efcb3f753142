"""The verbs of a linear chain in batched torch operations: for any device, and for gradients of gradients."""

from ner_zoo.structures.chain_torch.chunks import chunk_marginals
from ner_zoo.structures.chain_torch.labelling import score
from ner_zoo.structures.chain_torch.search import best, n_best
from ner_zoo.structures.chain_torch.sums import log_likelihood, log_partition, marginals, sample

__all__ = ["best", "chunk_marginals", "log_likelihood", "log_partition", "marginals", "n_best", "sample", "score"]
