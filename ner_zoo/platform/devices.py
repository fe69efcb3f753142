"""A GPU that is asked for and is not there is reported in one line, before anything is read."""

from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from allennlp.common import Params


def report_missing_gpus(checks: ModuleType) -> None:
    """torch refuses to name a GPU by its number where there is none, which AllenNLP does before it counts them."""

    def check_for_gpu(device: Any) -> None:
        for wanted in device if isinstance(device, list) else [device]:
            number = gpu_number(wanted)
            available = checks.torch.cuda.device_count()
            if number is not None and number >= available:
                there = f"only {available} GPU{'s' * (available > 1)}" if available else "no GPU that torch can use"
                raise checks.ConfigurationError(
                    f"GPU {number} is asked for, but this machine has {there}. To use the CPU: "
                    "-o '{\"trainer.cuda_device\": -1}' with train, --cuda-device -1 with other commands."
                )

    checks.check_for_gpu = check_for_gpu  # type: ignore[attr-defined]


def gpu_number(device: Any) -> int | None:
    """The number of a GPU, or `None` for the CPU and for devices that are not counted."""
    import torch

    if device is None or isinstance(device, int):
        return device if device is not None and device >= 0 else None
    named = torch.device(device)
    return (named.index or 0) if named.type == "cuda" else None


def check_devices(params: "Params") -> None:
    """The devices of an experiment are there."""
    from allennlp.common.checks import check_for_gpu

    config = params.as_dict(quiet=True)
    for part, key in (("trainer", "cuda_device"), ("distributed", "cuda_devices")):
        if isinstance(config.get(part), dict):
            check_for_gpu(config[part].get(key))
