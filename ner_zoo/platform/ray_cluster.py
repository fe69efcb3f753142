"""
Connects to Ray: to a running cluster, or to one started on this machine.
"""

import logging
import os
import socket
from typing import Any

from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.platform.extras import missing_packages

SECONDS_TO_CONNECT = 10


def start_ray(cores: int, address: str | None = None) -> Any:
    """The connected `ray` module. `cores` sets the size of a local cluster; a remote cluster has its own."""
    # Disable usage reporting.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise missing_packages("--engine ray", "bulk") from error
    where: dict[str, Any] = {"address": address} if address else {"num_cpus": cores, "include_dashboard": False}
    try:
        if address:
            check_connection(address)
        ray.init(**where, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # Ray raises plain exceptions, too
        problem = f"The Ray cluster {address} cannot be reached" if address else "Ray did not start on this machine"
        raise ConfigurationError(
            f"{problem}: {error}\nRun the same command again, which keeps finished work, or without --engine ray."
        ) from error
    return ray


def check_connection(address: str) -> None:
    """Tries to connect, because Ray itself tries an address that does not answer for minutes."""
    host, _, port = address.rpartition("//")[2].partition(":")
    if port.isdigit():
        socket.create_connection((host, int(port)), timeout=SECONDS_TO_CONNECT).close()
