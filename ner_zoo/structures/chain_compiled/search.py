"""The best labelling, and the `n` best."""

from typing import Tuple

import torch
from torch import LongTensor, Tensor

from ner_zoo.structures import kernels
from ner_zoo.structures.chain_compiled.arrays import arguments
from ner_zoo.structures.potentials import Potentials


def best(chain: Potentials) -> Tuple[LongTensor, Tensor]:
    labels, totals = kernels.best_labelling(*arguments(chain), 0)
    return torch.from_numpy(labels), torch.from_numpy(totals)


def n_best(chain: Potentials, n: int) -> Tuple[LongTensor, Tensor]:
    labels, totals = kernels.n_best_labellings(*arguments(chain), n)
    return torch.from_numpy(labels), torch.from_numpy(totals)
