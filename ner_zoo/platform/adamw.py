"""
The AdamW that transformers had until 4.50. AllenNLP's `huggingface_adamw` is a subclass of it.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor


class AdamW(torch.optim.Optimizer):
    """
    Adam with decoupled weight decay. `correct_bias: false` skips bias correction, as in the original BERT
    training.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float,
        betas: tuple[float, float],
        eps: float,
        weight_decay: float,
        correct_bias: bool,
    ) -> None:
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "correct_bias": correct_bias}
        super().__init__(params, defaults)

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._update(parameter, group)
        return loss

    def _update(self, parameter: Tensor, group: dict[str, Any]) -> None:
        state = self.state[parameter]
        if not state:
            state.update(step=0, mean=torch.zeros_like(parameter), square=torch.zeros_like(parameter))
        state["step"] += 1
        beta_mean, beta_square = group["betas"]
        state["mean"].lerp_(parameter.grad, 1 - beta_mean)  # type: ignore[arg-type]
        state["square"].mul_(beta_square).addcmul_(parameter.grad, parameter.grad, value=1 - beta_square)  # type: ignore
        size = group["lr"]
        if group["correct_bias"]:
            size *= math.sqrt(1 - beta_square ** state["step"]) / (1 - beta_mean ** state["step"])
        parameter.addcdiv_(state["mean"], state["square"].sqrt().add_(group["eps"]), value=-size)
        parameter.mul_(1 - group["lr"] * group["weight_decay"])
