"""
The loops over a chain, compiled for the CPU.

Labels are reordered so that the legal followers of each label lie side by side (see `ChainConstraints`): the inner
loops run over those only, and over memory in order. Nothing is done for padding. The rows of all sentences follow each
other, `(sum of lengths, labels)`, in the order of the batch.

Compiled code is kept on disk for as long as its own file is unchanged: a loop must not call one of another file, whose
changes would go unnoticed.

None of the loops keeps a state or starts a thread, so that they may be called from any number of threads at once.
"""

from ner_zoo.structures.kernels.backward import backward_sums, spread
from ner_zoo.structures.kernels.chunks import chunk_probabilities
from ner_zoo.structures.kernels.draw import draw
from ner_zoo.structures.kernels.forward import forward_sums
from ner_zoo.structures.kernels.labelling import labelling_gradient, labelling_score, lengths_of
from ner_zoo.structures.kernels.search import best_labelling, n_best_labellings

__all__ = [
    "backward_sums",
    "best_labelling",
    "chunk_probabilities",
    "draw",
    "forward_sums",
    "labelling_gradient",
    "labelling_score",
    "lengths_of",
    "n_best_labellings",
    "spread",
]
