"""
The callbacks that every run gets, with the reason for each. A config that names one of them configures it itself;
`"enable_default_callbacks": false` in the trainer disables all of them.
"""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

DEFAULT_CALLBACKS = {
    "data_check": "refuses to train on data without entities or on mismatched splits",
    "epoch_table": "prints one line per epoch",
    "training_curve": "draws the learning curve in the run's folder",
    "model_card": "documents in the archive how the model was trained",
    "loss_schedule": "passes the current epoch to losses that change over time",
    "encoder_rate": "warns about a learning rate that would ruin a pretrained encoder",
    "frozen_vectors": "runs a frozen encoder only once per sentence, before training",
    "label_counts": "passes label counts of the training data to heads that weight labels by frequency",
}


class DefaultCallbacks:
    """AllenNLP's default callbacks plus these, which are loaded when a trainer is built."""

    def __init__(self, stock: Any) -> None:
        self.stock = stock

    def __iter__(self) -> Iterator[Any]:
        from allennlp.training import TrainerCallback

        yield from self.stock
        yield from map(TrainerCallback.by_name, DEFAULT_CALLBACKS)


def extend_default_callbacks(gradient_descent_trainer: ModuleType) -> None:
    gradient_descent_trainer.DEFAULT_CALLBACKS = DefaultCallbacks(gradient_descent_trainer.DEFAULT_CALLBACKS)  # type: ignore
