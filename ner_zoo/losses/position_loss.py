"""
Losses that are a sum over independent positions; they are not defined for chains.
"""

from allennlp.common.checks import ConfigurationError
from torch import LongTensor, Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.structures.independent import Independent
from ner_zoo.structures.structure import Structure


def independent(structure: Structure, loss: Loss) -> Independent:
    """The structure, if its positions are independent; otherwise raises an error with the name of the loss."""
    if not isinstance(structure, Independent):
        name = next((name for name in Loss.list_available() if Loss.by_name(name) is type(loss)), type(loss).__name__)
        raise ConfigurationError(
            f"The loss {name} treats each token or span independently, but in a {type(structure).__name__} labels "
            f"depend on each other. Use the model `span`, or the model `tagger` with the head `softmax`."
        )
    return structure


def cross_entropy(structure: Independent, gold: LongTensor) -> Tensor:
    """`-log p(gold)` of each position, 0 under the mask: `(batch, positions)`."""
    log_probability = structure.legal_scores().log_softmax(2)
    chosen = log_probability.gather(2, gold.masked_fill(~structure.mask, 0).unsqueeze(2)).squeeze(2)
    return -chosen.masked_fill(~structure.mask, 0.0)
