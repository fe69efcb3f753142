import socket

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.commands.serving import named_archives
from tests.commands.predict_test import parsed


def test_archives_are_named_in_the_order_given() -> None:
    assert named_archives("a.tar.gz", ["re=b=c.tar.gz"]) == {"default": "a.tar.gz", "re": "b=c.tar.gz"}
    assert list(named_archives("", ["re=b", "ner=a"])) == ["re", "ner"]


@pytest.mark.parametrize(
    "archive, named", [("", []), ("", ["b.tar.gz"]), ("", ["=b"]), ("", ["a="]), ("", ["a=1", "a=2"])]
)
def test_a_model_without_a_name_or_with_anothers_is_refused(archive, named) -> None:
    with pytest.raises(ConfigurationError):
        named_archives(archive, named)


def serve(*words: str) -> None:
    arguments = parsed(["serve", *words])
    arguments.func(arguments)


def test_a_port_in_use_is_reported_before_the_model_is_looked_at() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        with pytest.raises(ConfigurationError, match=f"port {port}: Address already in use.*--port 0"):
            serve("no_such_model.tar.gz", "--port", port)


@pytest.mark.parametrize("words", [["--port", "70000"], ["--host", "no such host"], ["--host", "192.0.2.1"]])
def test_an_address_that_this_machine_does_not_have_is_reported(words) -> None:
    with pytest.raises(ConfigurationError, match="Pass a|requested address"):
        serve("no_such_model.tar.gz", *words)
