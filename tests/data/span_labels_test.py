import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.data.span_labels import SpanLabels, check_type, join_types, split_label


def test_types_joined_to_a_label_come_apart_again():
    assert join_types([]) == "O" and split_label("O") == []
    assert split_label(join_types(["PER", "ORG", "PER"])) == ["ORG", "PER"]


def test_a_type_without_a_name_is_a_type():
    assert split_label(join_types([""])) == [""]
    assert SpanLabels(("O", "")).holds.tolist() == [[False], [True]]


@pytest.mark.parametrize("type", ["O", "DRUG + DOSE", "WING (part)"])
def test_a_type_that_would_be_taken_for_something_else_is_refused_with_its_place(type):
    with pytest.raises(ConfigurationError, match="corpus.txt:7 .*another name"):
        check_type(type, "corpus.txt:7")


def test_the_tables_say_which_types_a_label_stands_for():
    labels = SpanLabels(("O", "PER", "ORG + PER", "PER (part)"))
    assert labels.background == 0
    assert labels.types == ("ORG", "PER", "PER (part)")
    assert labels.holds.astype(int).tolist() == [[0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert labels.is_part.tolist() == [False, False, True] and labels.has_parts


def test_labels_of_given_spans_have_no_background():
    assert SpanLabels(("PER", "ORG")).background == -1 and not SpanLabels(("PER", "ORG")).has_parts
