"""
Adds types to a trained model: training starts from its weights, and its types remain possible on unannotated tokens.

The vocabulary starts with that of the archive (`extend_archive`), so the old weights are the first rows of the new
ones: heads grow by the rows of new labels, embeddings by those of new words. The new data contains only the new types.
An unannotated token is O or has an old type, never a new one; `partial_likelihood` sums over these.
"""

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.models.archival import load_archive
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides
from torch import Tensor

from ner_zoo.labels.tags import TagLabels
from ner_zoo.losses.partial_likelihood import PartialLikelihood
from ner_zoo.models.ner_model import labels_of
from ner_zoo.platform.pretrained import model_path
from ner_zoo.platform.run_callback import RunCallback


@TrainerCallback.register("extend")
class Extend(RunCallback):
    """archive : the model to extend."""

    def __init__(self, archive: str, serialization_dir: str | None = None) -> None:
        super().__init__(serialization_dir or "")
        self.archive = archive

    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        model = trainer.model
        old = load_archive(model_path(self.archive)).model
        if not all(isinstance(labels_of(one), TagLabels) for one in (old, model)):
            raise ConfigurationError("use.extend requires the model `tagger`, for the old model and for the new one.")
        before, after = labels_of(old).names, labels_of(model).names
        if after[: len(before)] != before:
            raise ConfigurationError(
                f"The labels of {self.archive} are {', '.join(before)}, but those of the new model start with "
                f"{', '.join(after[: len(before)])}. Use the same view and tag scheme, and the vocabulary "
                f"`extend_archive`, as use.extend does."
            )
        possible = torch.arange(len(after)) < len(before)
        for module in model.modules():
            if isinstance(module, PartialLikelihood):
                module.possible_where_unknown = possible
        # A resumed run already has its own weights.
        if trainer._start_after_epochs_completed == 0 and trainer._start_after_batches_in_epoch_completed == 0:
            copy_weights(old, model, grown_sizes(old.vocab, model.vocab), self.archive)


def grown_sizes(old: Vocabulary, new: Vocabulary) -> set[tuple[int, int]]:
    """The old and new sizes of all vocabulary namespaces, labels included."""
    return {(old.get_vocab_size(name), new.get_vocab_size(name)) for name in new.get_namespaces()}


def copy_weights(old: torch.nn.Module, new: torch.nn.Module, grown: set[tuple[int, int]], archive: str) -> None:
    """
    Copies every weight to its place in the new model, which may have more rows for words and labels. Other sizes must
    be equal: the first rows of a larger LSTM, for example, are not those of the same gates.
    """
    weights, targets = old.state_dict(), new.state_dict()
    for name in sorted(weights.keys() | targets.keys()):
        if name not in weights or name not in targets or not fits(weights[name], targets[name], grown):
            shapes = [tuple(some[name].shape) if name in some else "absent" for some in (weights, targets)]
            raise ConfigurationError(
                f"The weight {name} is {shapes[0]} in {archive} and {shapes[1]} in the new model. Use the same "
                f"inputs, sizes and head as in the old model: take the old config with a new corpus."
            )
    with torch.no_grad():
        for name, weight in weights.items():
            targets[name][tuple(slice(0, size) for size in weight.shape)] = weight


def fits(old: Tensor, new: Tensor, grown: set[tuple[int, int]]) -> bool:
    sizes = zip(old.shape, new.shape)
    return old.dim() == new.dim() and all(before == after or (before, after) in grown for before, after in sizes)
