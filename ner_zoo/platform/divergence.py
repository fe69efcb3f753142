"""
A loss that is NaN or infinite ends the run with the sentences of its batch, and with what to try.

AllenNLP says `nan loss encountered`, and of an infinite loss nothing, though it ruins the weights all the same.
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
    """AllenNLP's trainer, which also remembers the batch at hand."""

    _batch: TensorDict | None = None

    @overrides
    def batch_outputs(self, batch: TensorDict, for_training: bool) -> dict[str, torch.Tensor]:
        self._batch = batch
        outputs = super().batch_outputs(batch, for_training)
        # With mixed precision an infinite loss is expected now and then, and its step is left out.
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
            f"The weights were no longer finite before this batch ({', '.join(ruined[:3])}), so the steps before it "
            "were too large."
            if ruined
            else "The weights are finite, so it is this batch that does not fit the model or the loss."
        )
        return f"The loss is {problem} {place}. {reason}\n{ADVICE}\nThe batch:\n{sentences(self._batch or {})}"


def sentences(batch: dict[str, Any]) -> str:
    """One line for each sentence of a batch: where it is, and how it begins."""
    metadata = batch.get("metadata") or []
    lines = [f"  {described(one)}" for one in metadata[:MAX_SENTENCES]]
    if len(metadata) > MAX_SENTENCES:
        lines.append(f"  and {len(metadata) - MAX_SENTENCES} more")
    return "\n".join(lines) or "  (the reader does not say where its sentences come from)"


def described(one: Any) -> str:
    words = one.get("words", ()) if isinstance(one, dict) else getattr(one, "tokens", ())
    text = " ".join(map(str, words))
    start = f"{text[:MAX_CHARACTERS]}..." if len(text) > MAX_CHARACTERS else text
    return " ".join(filter(None, (getattr(one, "source", ""), start)))
