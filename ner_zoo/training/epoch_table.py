"""
Prints a table of epochs on the terminal, one line after each epoch:

     epoch  training loss  validation loss  precision  recall      F1  learning rate  seconds
         1         12.804            6.113      61.02   48.55   54.07          0.001      2.1  *
         2          4.417            3.020      80.31   78.90   79.60          0.001      2.0  *

A star marks an epoch that is better than all before it. At the end, the whole table is logged with the best epoch
marked. This is one of the default callbacks.
"""

import logging
from collections.abc import Sequence
from typing import Any

from allennlp.training import GradientDescentTrainer, TrainerCallback
from overrides import overrides

from ner_zoo.platform.epoch_history import Epoch, EpochHistory, best
from ner_zoo.platform.screen import is_verbose
from ner_zoo.rendering.tables import text_table

logger = logging.getLogger(__name__)

PERCENTAGES = {
    "entity_precision": "precision",
    "entity_recall": "recall",
    "entity_f1": "F1",
    "relation_f1": "relation F1",
    "typing_accuracy": "typing accuracy",
}
# A loss that grows without bounds is written with an exponent.
LARGE = 1e7


@TrainerCallback.register("epoch_table")
class EpochTable(EpochHistory):
    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self._header = ""

    @overrides
    def show(self, trainer: GradientDescentTrainer) -> None:
        lines = table(self.epochs, trainer._metric_tracker.tracked_metrics)
        # If the log is on the screen, the header has scrolled away by the end of the next epoch.
        if lines[0] != self._header or is_verbose():
            self._header = lines[0]
            print(self._header, flush=True)
        print(lines[-1], flush=True)

    @overrides
    def finish(self, trainer: GradientDescentTrainer, metrics: dict[str, Any] | None) -> None:
        if self.is_primary and self.epochs:
            lines = table(self.epochs, trainer._metric_tracker.tracked_metrics, only_best=True)
            logger.info("Epochs (* best):\n%s", "\n".join(lines))


def table(epochs: Sequence[Epoch], tracked: Sequence[Any] = (), only_best: bool = False) -> list[str]:
    """
    The header and one line per epoch.
    tracked : the validation metrics as pairs of a weight and a name.
    only_best : mark only the best epoch, not every improvement.
    """
    seen = {name for epoch in epochs for name in epoch.validation}
    shares = [name for name in PERCENTAGES if name in seen]
    others = [name for _, name in tracked if name in seen and name not in PERCENTAGES and name != "loss"]
    header = ["epoch", "training loss", "validation loss", *(PERCENTAGES[name] for name in shares), *others]
    header += ["learning rate", "seconds"]
    # As wide as any percentage, so that lines align with a header that is printed once.
    rows = [[name.rjust(len("100.00")) for name in header]]
    for epoch in epochs:
        cells = [str(epoch.number + 1), _figure(epoch.training_loss, ".3f")]
        cells.append(_figure(epoch.validation.get("loss"), ".3f"))
        cells += [_figure(epoch.validation.get(name), ".2f", 100) for name in shares]
        cells += [_figure(epoch.validation.get(name), ".4f") for name in others]
        cells += [_figure(epoch.learning_rate, ".3g"), f"{epoch.seconds:.1f}"]
        is_marked = epoch == best(list(epochs)) if only_best else epoch.is_best
        rows.append([*cells, "*" if is_marked else ""])
    return text_table(rows, left_columns=0)


def _figure(value: float | None, shape: str, times: float = 1.0) -> str:
    if value is None:
        return ""
    return format(value * times, shape if abs(value) < LARGE else ".3g")
