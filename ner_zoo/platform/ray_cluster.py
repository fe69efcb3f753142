"""
Ray, connected: to a cluster that is running, or to one that is started on this machine.
"""

import logging
import os
from typing import Any

from ner_zoo.platform.extras import missing_packages


def start_ray(cores: int, address: str | None = None) -> Any:
    """The package ray. `cores` is what a cluster that is started here has; one with an address has its own."""
    # Nothing of a user's work is reported to anybody.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise missing_packages("--engine ray", "bulk") from error
    if address:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    else:
        ray.init(num_cpus=cores, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    return ray
