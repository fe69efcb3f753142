import socket

from ner_zoo.service.listening import bound, page_address


def test_a_free_port_is_taken_at_once_and_does_not_listen_yet() -> None:
    sockets = bound("127.0.0.1", 0)
    host, port = sockets[0].getsockname()
    assert page_address(sockets) == f"http://127.0.0.1:{port}/"
    with socket.socket() as client:
        assert client.connect_ex((host, port)) != 0
    sockets[0].close()


def test_the_page_of_a_service_for_everybody_is_named_by_an_address_of_this_machine() -> None:
    sockets = bound("0.0.0.0", 0)
    assert page_address(sockets).startswith("http://127.0.0.1:")
    sockets[0].close()
