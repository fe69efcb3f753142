"""
Raises the limit of file descriptors: without free ones, a service cannot accept any connection.
"""

import logging
import resource

from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.service.monitoring import log

# For files, libraries, connections being refused, and those accepted together before any is refused.
RESERVE = 128


def connections_possible(wanted: int) -> int:
    """The requested number of connections, or as many as the system allows; raises the process's limit for them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + RESERVE
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < needed:
        soft = needed if hard == unlimited else min(hard, needed)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == unlimited or soft >= needed:
        return wanted
    if soft <= RESERVE:
        raise ConfigurationError(
            f"This process may open {soft} files, but the service needs {RESERVE} in addition to its connections. "
            f"Raise the limit: ulimit -n {needed}"
        )
    fields = {"max_connections": soft - RESERVE, "wanted": wanted, "advice": f"ulimit -n {needed}"}
    log("fewer connections than max_connections: too few file descriptors", fields, logging.WARNING)
    return soft - RESERVE
