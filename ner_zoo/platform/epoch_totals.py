"""Running totals of an unfinished epoch: its loss and the metrics inside the model."""

import logging
import pickle
from collections.abc import Iterator
from typing import Any

from allennlp.models import Model
from allennlp.modules.encoder_base import _EncoderBase
from allennlp.training import GradientDescentTrainer
from allennlp.training.metrics import Metric
from overrides import overrides
from torch import nn

from ner_zoo.platform.run_callback import FinishedBatch, RunCallback

logger = logging.getLogger(__name__)


class EpochTotals(RunCallback):
    """Sums the loss of an epoch in the trainer's own order, so that a resumed sum is identical to the last bit."""

    def __init__(self, loss: float = 0.0, regularization: float | None = None) -> None:
        super().__init__(serialization_dir="")
        self.loss = loss
        self.regularization = regularization

    @overrides
    def after_batch(self, trainer: GradientDescentTrainer, batch: FinishedBatch) -> None:
        self.loss += batch.metrics["batch_loss"]
        for outputs in batch.outputs:
            if "reg_loss" in outputs:
                self.regularization = (self.regularization or 0.0) + (outputs["reg_loss"] / len(batch.inputs)).item()


def counters(model: nn.Module) -> Iterator[tuple[str, Any]]:
    """
    The objects in a model that accumulate over batches but are not parameters, by path: metrics, alone or in a dict or
    list, and stateful encoders.
    """
    for path, module in model.named_modules():
        if isinstance(module, _EncoderBase) and module.stateful:
            yield path, module
        for name, value in vars(module).items():
            members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
            for key, member in [(name, value), *((f"{name}.{key}", member) for key, member in members)]:
                if isinstance(member, Metric):
                    yield f"{path}.{key}", member


def count_of(counter: Any) -> dict[str, Any]:
    return {"_states": counter._states} if isinstance(counter, nn.Module) else vars(counter)


def counts(model: Model) -> dict[str, bytes]:
    """A copy of the state of each accumulator."""
    result = {}
    for path, counter in counters(model):
        try:
            result[path] = pickle.dumps(count_of(counter))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            logger.warning(
                "After --recover, %s of this epoch will be wrong because it cannot be saved: %s", path, error
            )
    return result


def restore_counts(model: Model, saved: dict[str, bytes]) -> None:
    for path, counter in counters(model):
        if path in saved:
            vars(counter).update(pickle.loads(saved[path]))
