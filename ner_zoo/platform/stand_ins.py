"""
Stand-ins: what AllenNLP imports at its top, but needs only for features that few people use.

`torchvision` serves images, `fairscale` shards a model over many GPUs, and names that `huggingface_hub` has dropped
publish a model. Where one of them is missing, AllenNLP gets something that can be imported, and that says what is
missing as soon as it is used. The stand-ins are in place only while AllenNLP is being imported: to every other
library a missing package stays missing, and a package that is there and works is never hidden.
"""

import contextlib
import importlib
import math
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple

import torch
from torch import Tensor


def refusing(name: str, remedy: str) -> type:
    """A class that can be subclassed and annotated with, but refuses to be made an object of."""

    def refuse(*_: Any, **__: Any) -> None:
        raise ImportError(f"{name} is needed for this, and it is not here. {remedy}")

    return type(name.rpartition(".")[2], (), {"__init__": refuse, "__getattr__": refuse})


class StandIn(ModuleType):
    """A module of which every attribute is a class that refuses to be used."""

    remedy: str
    __path__: List[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return refusing(f"{self.__name__}.{name}", self.remedy)


class StandInFinder(MetaPathFinder, Loader):
    """Finds stand-ins for the packages of `remedies`, and for all of their submodules."""

    def __init__(self, remedies: Dict[str, str]) -> None:
        self.remedies = remedies

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        is_missing = fullname.partition(".")[0] in self.remedies
        return ModuleSpec(fullname, self, is_package=True) if is_missing else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        stand_in = StandIn(spec.name)
        stand_in.remedy = self.remedies[spec.name.partition(".")[0]]
        return stand_in

    def exec_module(self, module: ModuleType) -> None:
        """A stand-in has no code of its own."""


def reason_not_to_load(package: str) -> Optional[str]:
    """Why a package cannot be imported, or `None` where it can."""
    try:
        importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name == package:
            return f"Install it: pip install {package}"
        return f"It is installed, but does not load: {error}"
    except (ImportError, OSError, RuntimeError) as error:
        # A torchvision that was built for another torch fails with a RuntimeError about its operators.
        return f"It is installed, but does not load: {error}"
    return None


@contextlib.contextmanager
def stand_ins_for_packages(*packages: str) -> Iterator[None]:
    """Puts stand-ins in the place of those packages that cannot be imported, and takes them away again."""
    reasons = {package: reason_not_to_load(package) for package in packages}
    missing = {package: reason for package, reason in reasons.items() if reason is not None}
    finder = StandInFinder(missing)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.partition(".")[0] in missing]:
            del sys.modules[name]


@contextlib.contextmanager
def stand_in_for_module(name: str, content: Dict[str, Any]) -> Iterator[None]:
    """Puts a module with this content in the place of one that is not loaded yet, and takes it away again."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = ModuleType(name)
    vars(sys.modules[name]).update(content)
    try:
        yield
    finally:
        del sys.modules[name]


@contextlib.contextmanager
def stand_ins_for_names(module: ModuleType, stand_ins: Dict[str, Any]) -> Iterator[None]:
    """Gives a module those names that it lacks, and takes them away again."""
    missing = [name for name in stand_ins if not hasattr(module, name)]
    for name in missing:
        setattr(module, name, stand_ins[name])
    try:
        yield
    finally:
        for name in missing:
            # Importing more of a lazy package may have rebuilt it without the name.
            vars(module).pop(name, None)


class AdamW(torch.optim.Optimizer):
    """Adam with decoupled weight decay; without `correct_bias`, as BERT was trained, the moments are biased to zero."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float,
        betas: Tuple[float, float],
        eps: float,
        weight_decay: float,
        correct_bias: bool,
    ) -> None:
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "correct_bias": correct_bias}
        super().__init__(params, defaults)

    @torch.no_grad()
    def step(self, closure: Optional[Callable[[], float]] = None) -> Optional[float]:  # type: ignore[override]
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._update(parameter, group)
        return loss

    def _update(self, parameter: Tensor, group: Dict[str, Any]) -> None:
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
