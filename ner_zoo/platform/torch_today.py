"""AllenNLP 2.10.1 on current torch: one function per incompatibility."""

import io
from collections.abc import Iterable
from types import ModuleType, SimpleNamespace
from typing import Any

import torch
from torch import Tensor


def cache_tensors_that_load(file_utils: ModuleType) -> None:
    """AllenNLP's `TensorCache` writes with the newest pickle protocol; since torch 2.6 only protocol 2 can be read."""

    def set_item(self: Any, key: str, tensor: Tensor) -> None:
        if self.read_only:
            raise ValueError("cannot write to a read-only cache")
        tensor = tensor.detach().cpu().clone()
        buffer = io.BytesIO()
        torch.save(tensor, buffer)
        with self.lmdb_env.begin(write=True) as transaction:
            transaction.put(key.encode(), buffer.getbuffer())
        self.cache_cache[key] = tensor

    file_utils.TensorCache.__setitem__ = set_item


def reduce_on_plateau_in_silence(learning_rate_schedulers: ModuleType) -> None:
    """torch 2.7 removed `verbose` from its learning rate schedulers; configs may still set it."""

    def init(
        self: Any,
        optimizer: torch.optim.Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        threshold_mode: str = "rel",
        threshold: float = 1e-4,
        cooldown: int = 0,
        min_lr: float | list[float] = 0,
        eps: float = 1e-8,
    ) -> None:
        self.lr_scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(
            optimizer, mode, factor, patience, threshold, threshold_mode, cooldown, min_lr, eps
        )

    learning_rate_schedulers.ReduceOnPlateauLearningRateScheduler.__init__ = init


def with_dense_gradient(parameter: Tensor) -> Tensor:
    """The tensor to clip for a parameter: its gradient, or the values of its sparse gradient."""
    if parameter.grad is None or not parameter.grad.is_sparse:
        return parameter
    parameter.grad = parameter.grad.coalesce()
    values = parameter.grad._values()
    stand_in = torch.empty_like(values)
    stand_in.grad = values
    return stand_in


def clip_sparse_gradients(module: ModuleType) -> None:
    """
    Since 2.0, torch's clipping by norm and by value supports dense gradients only. The gradient of an embedding with
    `sparse: true` is clipped through its values: the entries it does not store are zero, and stay zero.
    """

    def clip_grad_norm_(parameters: Iterable[Tensor], max_norm: float) -> Tensor:
        return torch.nn.utils.clip_grad_norm_([with_dense_gradient(p) for p in parameters], max_norm)

    def clip_gradient(self: Any) -> None:
        if self._grad_clipping is None:
            return
        if self._scaler is not None:
            stage = self._scaler._per_optimizer_states[id(self.optimizer)]["stage"]
            if stage is not module.OptState.UNSCALED:
                self._scaler.unscale_(self.optimizer)
        parameters = [with_dense_gradient(p) for p in self.model.parameters() if p.grad is not None]
        torch.nn.utils.clip_grad_value_(parameters, self._grad_clipping)

    module.clip_grad_norm_ = clip_grad_norm_  # type: ignore[attr-defined]
    if hasattr(module, "GradientDescentTrainer"):
        module.GradientDescentTrainer.clip_gradient = clip_gradient


def cast_without_warning(module: ModuleType) -> None:
    """Since torch 2.4, `torch.cuda.amp` warns in every training process that it has moved to `torch.amp`."""

    def autocast(enabled: bool) -> torch.autocast:
        return torch.autocast("cuda" if torch.cuda.is_available() else "cpu", enabled=enabled)

    module.amp = SimpleNamespace(autocast=autocast, GradScaler=torch.amp.GradScaler)  # type: ignore[attr-defined]
