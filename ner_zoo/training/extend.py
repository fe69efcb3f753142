"""
Adds types to a trained model: training starts from its weights, and its types remain possible on unannotated tokens.

The vocabulary starts with that of the archive (`extend_archive`), so the old weights are the first rows of the new
ones: heads grow by the rows of new labels, embeddings by those of new words. The new data contains only the new types.
An unannotated token is O or has an old type, never a new one; `partial_likelihood` sums over these.
"""

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import load_archive
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides
from torch import Tensor

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
            copy_weights(old, model, self.archive)


def copy_weights(old: torch.nn.Module, new: torch.nn.Module, archive: str) -> None:
    """Copies every weight to its place in the new model, which may have more rows."""
    weights, targets = old.state_dict(), new.state_dict()
    for name in sorted(weights.keys() | targets.keys()):
        if name not in weights or name not in targets or not fits(weights[name], targets[name]):
            shapes = [tuple(some[name].shape) if name in some else "absent" for some in (weights, targets)]
            raise ConfigurationError(
                f"The weight {name} is {shapes[0]} in {archive} and {shapes[1]} in the new model. Use the same "
                f"inputs, sizes and head as in the old model: take the old config with a new corpus."
            )
    with torch.no_grad():
        for name, weight in weights.items():
            targets[name][tuple(slice(0, size) for size in weight.shape)] = weight


def fits(old: Tensor, new: Tensor) -> bool:
    return old.dim() == new.dim() and all(before <= after for before, after in zip(old.shape, new.shape))
