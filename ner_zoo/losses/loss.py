"""
A loss asks a structure how well it explains the gold labelling. It knows only the structure's verbs.
"""

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from torch import LongTensor, Tensor

from ner_zoo.structures.structure import UNKNOWN, Structure


class Loss(torch.nn.Module, Registrable):
    """One subclass per objective; what it returns is a mean over the sentences of a batch."""

    default_implementation = "nll"

    # Whether the loss has a meaning for positions that nobody has annotated.
    handles_unknown = False

    # Whether the loss of a sentence is a sum over its positions, and so has a meaning for some of them too.
    is_sum = True

    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        """`(batch,)`, from a structure and its gold labels `(batch, positions)`."""
        raise NotImplementedError

    def forward(self, structure: Structure, gold: LongTensor) -> Tensor:
        """The mean over the sentences of the batch; refuses unknown labels if the loss does not handle them."""
        if self.handles_unknown:
            return self.per_sentence(structure, gold).mean()
        unknown = ((gold == UNKNOWN) & structure.mask).any(dim=1)
        if not unknown.any():
            return self.per_sentence(structure, gold).mean()
        if self.training:
            raise ConfigurationError(
                f"{unknown.sum().item()} of {len(unknown)} training sentences have positions without a known label, "
                f"and the loss {type(self).__name__} needs them all. Use the loss `partial_likelihood`, or read a "
                "version of the corpus without UNK tags."
            )
        # In evaluation a type that training never saw has no label. F1 counts it; the loss leaves its sentence out.
        known = self.per_sentence(structure, gold.clamp(min=0))[~unknown]
        return known.mean() if len(known) else known.sum()
