"""
Stops a run whose loss is NaN or infinite, and reports the sentences of the batch and possible remedies.

AllenNLP only says `nan loss encountered`, and does not report an infinite loss, which ruins the weights as well.
"""

from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TensorDict
from allennlp.training import GradientDescentTrainer
from overrides import overrides

MAX_SENTENCES = 8
MAX_CHARACTERS = 80
ADVICE = (
    "Try a lower learning rate (trainer.optimizer.lr), clipped gradients (trainer.grad_norm: 1.0), or a warm-up "
    "(trainer.learning_rate_scheduler)."
)


class CheckedTrainer(GradientDescentTrainer):
    """AllenNLP's trainer, extended to remember the current batch."""

    _batch: TensorDict | None = None

    @overrides
    def batch_outputs(self, batch: TensorDict, for_training: bool) -> dict[str, torch.Tensor]:
        self._batch = batch
        outputs = super().batch_outputs(batch, for_training)
        # With mixed precision an occasional infinite loss is expected, and the step is skipped.
        if for_training and self._scaler is None and torch.isinf(outputs["loss"]):
            raise ConfigurationError(self._diverged("infinite"))
        return outputs

    @overrides
    def _train_epoch(self, epoch: int) -> dict[str, float]:
        try:
            return super()._train_epoch(epoch)
        except ValueError as error:
            if str(error) != "nan loss encountered":
                raise
            raise ConfigurationError(self._diverged("NaN")) from error
        finally:
            self._batch = None

    def _diverged(self, problem: str) -> str:
        place = f"in epoch {self._epochs_completed}, batch {self._batches_in_epoch_completed + 1}"
        ruined = [name for name, weight in self.model.named_parameters() if not torch.isfinite(weight).all()]
        reason = (
            f"The weights were not finite before this batch ({', '.join(ruined[:3])}), so earlier steps were too large."
            if ruined
            else "The weights are finite, so this batch does not suit the model or the loss."
        )
        return f"The loss is {problem} {place}. {reason}\n{ADVICE}\nThe batch:\n{sentences(self._batch or {})}"


def sentences(batch: dict[str, Any]) -> str:
    """One line per sentence of a batch: its source and its first words."""
    metadata = batch.get("metadata") or []
    lines = [f"  {described(one)}" for one in metadata[:MAX_SENTENCES]]
    if len(metadata) > MAX_SENTENCES:
        lines.append(f"  and {len(metadata) - MAX_SENTENCES} more")
    return "\n".join(lines) or "  (the reader does not record where its sentences come from)"


def described(one: Any) -> str:
    words = one.get("words", ()) if isinstance(one, dict) else getattr(one, "tokens", ())
    text = " ".join(map(str, words))
    start = f"{text[:MAX_CHARACTERS]}..." if len(text) > MAX_CHARACTERS else text
    return " ".join(filter(None, (getattr(one, "source", ""), start)))
