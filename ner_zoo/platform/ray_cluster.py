"""
Connects to Ray: to a running cluster, or to one started on this machine.
"""

import logging
import os
from typing import Any

from ner_zoo.platform.extras import missing_packages


def start_ray(cores: int, address: str | None = None) -> Any:
    """The connected `ray` module. `cores` sets the size of a local cluster; a remote cluster has its own."""
    # Disable usage reporting.
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
