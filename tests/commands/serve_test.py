import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.commands.serve import named_archives


def test_archives_are_named_in_the_order_given() -> None:
    assert named_archives("a.tar.gz", ["re=b=c.tar.gz"]) == {"default": "a.tar.gz", "re": "b=c.tar.gz"}
    assert list(named_archives("", ["re=b", "ner=a"])) == ["re", "ner"]


@pytest.mark.parametrize(
    "archive, named", [("", []), ("", ["b.tar.gz"]), ("", ["=b"]), ("", ["a="]), ("", ["a=1", "a=2"])]
)
def test_a_model_without_a_name_or_with_anothers_is_refused(archive, named) -> None:
    with pytest.raises(ConfigurationError):
        named_archives(archive, named)
