"""
A loss measures how well a structure explains the gold labelling. It uses only the structure's operations.
"""

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from torch import LongTensor, Tensor

from ner_zoo.structures.structure import UNKNOWN, Structure


class Loss(torch.nn.Module, Registrable):
    """Base class: one subclass per loss. The value is the mean over the sentences of a batch."""

    default_implementation = "nll"

    # Whether the loss supports positions without annotation.
    handles_unknown = False

    # Whether the loss is a sum over positions, and can therefore be applied to a subset of them.
    is_sum = True

    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        """The loss `(batch,)` of a structure and its gold labels `(batch, positions)`."""
        raise NotImplementedError

    def forward(self, structure: Structure, gold: LongTensor) -> Tensor:
        """The mean over the sentences of the batch; refuses unknown labels unless the loss supports them."""
        if self.handles_unknown:
            return self.per_sentence(structure, gold).mean()
        unknown = ((gold == UNKNOWN) & structure.mask).any(dim=1)
        if not unknown.any():
            return self.per_sentence(structure, gold).mean()
        if self.training:
            raise ConfigurationError(
                f"{unknown.sum().item()} of {len(unknown)} training sentences have positions without a known label, "
                f"which the loss {type(self).__name__} does not support. Use the loss `partial_likelihood`, or a "
                f"version of the corpus without UNK tags."
            )
        # In evaluation, a type not seen in training has no label. F1 counts it; the loss skips its sentence.
        known = self.per_sentence(structure, gold.clamp(min=0))[~unknown]
        return known.mean() if len(known) else known.sum()
