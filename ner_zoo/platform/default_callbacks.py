"""
The one list of callbacks that every run has, and why. A config that names one of them sets it itself; with
`"enable_default_callbacks": false` a trainer has none.
"""

from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple


class DefaultCallback(NamedTuple):
    name: str
    reason: str


DEFAULT_CALLBACKS = (
    DefaultCallback("data_check", "a run on data without entities, or on splits that do not fit, is refused"),
    DefaultCallback("epoch_table", "shows the progress of a training, a line for each epoch"),
    DefaultCallback("training_curve", "the same as a picture in the run's folder"),
    DefaultCallback("model_card", "an archive says what it was made of"),
    DefaultCallback("loss_schedule", "losses that change over time learn which epoch it is"),
    DefaultCallback("encoder_rate", "a learning rate that would ruin a pretrained encoder is reported"),
    DefaultCallback("frozen_vectors", "a frozen encoder reads each sentence once, before training"),
    DefaultCallback("label_counts", "heads that weigh labels by their frequency get the counts of the training data"),
)


class DefaultCallbacks:
    """AllenNLP's own default callbacks, and those of the list, which are loaded when a trainer wants them."""

    def __init__(self, stock: Any) -> None:
        self.stock = stock

    def __iter__(self) -> Iterator[Any]:
        from allennlp.training import TrainerCallback

        yield from self.stock
        for callback in DEFAULT_CALLBACKS:
            yield TrainerCallback.by_name(callback.name)


def extend_default_callbacks(gradient_descent_trainer: ModuleType) -> None:
    gradient_descent_trainer.DEFAULT_CALLBACKS = DefaultCallbacks(gradient_descent_trainer.DEFAULT_CALLBACKS)  # type: ignore
