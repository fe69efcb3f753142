"""The probability of each of many chunks; see `ner_zoo.structures.chunks`."""

import numpy as np
import torch
from torch import Tensor

from ner_zoo.structures import chain_torch, kernels
from ner_zoo.structures.chain_compiled.arrays import array, forward
from ner_zoo.structures.chunks import ChunkRules, Chunks
from ner_zoo.structures.potentials import Potentials


def chunk_marginals(chain: Potentials, chunks: Chunks, rules: ChunkRules) -> Tensor:
    """`(chunks,)`"""
    sums, order = forward(chain), chain.constraints.order
    no_weight = np.zeros(len(chain.lengths))
    after, _ = kernels.backward_sums(no_weight, chain.lengths, chain.constraints.runs, *sums)
    found = kernels.chunk_probabilities(
        array(torch.stack(list(chunks), 1)),
        *(array(table) for table in rules),
        *(chain.lengths, order, sums.totals, sums.local, sums.before, after, sums.scale, sums.steps),
    )
    probabilities = torch.from_numpy(found).to(chain.scores.dtype)
    undone = sums.undone()
    if undone is not None:
        again = undone[chunks.sentence]
        probabilities[again] = chain_torch.chunk_marginals(chain, Chunks(*(part[again] for part in chunks)), rules)
    return probabilities
