"""
Binds the addresses of the service before models are loaded, so that a port in use is reported immediately.
"""

import socket

from ner_zoo.platform.configuration_error import ConfigurationError


def bound(host: str, port: int) -> list[socket.socket]:
    """One socket per address of the host. They do not listen yet: clients that connect too early are refused."""
    if not 0 <= port <= 65535:
        raise ConfigurationError(f"--port is {port}. Pass a port from 0 to 65535.")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(
            f"--host is {host} and --port {port}, which is not an address of this machine: {error}. Pass an address "
            f"such as 127.0.0.1."
        ) from None
    sockets: list[socket.socket] = []
    for family, kind, protocol, _, address in dict.fromkeys(found):
        one = socket.socket(family, kind, protocol)
        sockets.append(one)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        try:
            one.bind(address)
        except OSError as error:
            for opened in sockets:
                opened.close()
            raise cannot_listen(host, port, error) from None
    return sockets


def cannot_listen(host: str, port: int, error: OSError) -> ConfigurationError:
    """The error message for an address that cannot be used."""
    return ConfigurationError(
        f"The service cannot listen on {host}, port {port}: {error.strerror}. Stop the program that uses the port, or "
        f"choose another one: --port 0 uses any free port."
    )


def page_address(sockets: list[socket.socket]) -> str:
    """The URL of the page for a user on this machine."""
    host, port = sockets[0].getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
