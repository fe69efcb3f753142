import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.data.span_labels import check_type, join_types, split_label


def test_types_joined_to_a_label_come_apart_again():
    assert join_types([]) == "O" and split_label("O") == []
    assert split_label(join_types(["PER", "ORG", "PER"])) == ["ORG", "PER"]


def test_a_type_without_a_name_is_a_type():
    assert split_label(join_types([""])) == [""]


@pytest.mark.parametrize("type", ["O", "DRUG + DOSE", "WING (part)"])
def test_a_type_that_would_be_taken_for_something_else_is_refused_with_its_place(type):
    with pytest.raises(ConfigurationError, match="corpus.txt:7 .*Rename the type"):
        check_type(type, "corpus.txt:7")
