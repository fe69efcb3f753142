"""Reports a GPU that is not available in one line, before any data is read."""

from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from allennlp.common import Params


def report_missing_gpus(checks: ModuleType) -> None:
    """Handles GPU ids on machines without GPUs, where torch fails before AllenNLP counts the devices."""

    def check_for_gpu(device: Any) -> None:
        for wanted in device if isinstance(device, list) else [device]:
            number = gpu_number(wanted)
            available = checks.torch.cuda.device_count()
            if number is not None and number >= available:
                there = f"only {available} GPU{'s' * (available > 1)}" if available else "no GPU that torch can use"
                raise checks.ConfigurationError(
                    f"GPU {number} was requested, but this machine has {there}. To use the CPU: "
                    "-o '{\"trainer.cuda_device\": -1}' with train, --cuda-device -1 with other commands."
                )

    checks.check_for_gpu = check_for_gpu  # type: ignore[attr-defined]


def gpu_number(device: Any) -> int | None:
    """The id of a GPU, or `None` for the CPU and for devices without ids."""
    import torch

    if device is None or isinstance(device, int):
        return device if device is not None and device >= 0 else None
    named = torch.device(device)
    return (named.index or 0) if named.type == "cuda" else None


def check_devices(params: "Params") -> None:
    """Checks that the devices of an experiment exist."""
    from allennlp.common.checks import check_for_gpu

    config = params.as_dict(quiet=True)
    for part, key in (("trainer", "cuda_device"), ("distributed", "cuda_devices")):
        if isinstance(config.get(part), dict):
            check_for_gpu(config[part].get(key))
