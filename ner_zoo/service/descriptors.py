"""
Connections are file descriptors, and a process may open only so many: out of them, a service accepts nobody at all.
"""

import logging
import resource

from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.service.monitoring import log

# For files, libraries, connections that are being refused, and those accepted at once before any is refused.
RESERVE = 128


def connections_possible(wanted: int) -> int:
    """As many connections as are wanted, or as many as the system allows; the process's limit is raised for them."""
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
            f"This process may open {soft} files, and the service needs {RESERVE} beside its connections. Raise the "
            f"limit: ulimit -n {needed}"
        )
    fields = {"max_connections": soft - RESERVE, "wanted": wanted, "advice": f"ulimit -n {needed}"}
    log("fewer connections than max_connections: too few file descriptors", fields, logging.WARNING)
    return soft - RESERVE
