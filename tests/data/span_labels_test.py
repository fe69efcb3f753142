from ner_zoo.data.span_labels import SpanLabels, join_types, split_label


def test_types_joined_to_a_label_come_apart_again():
    assert join_types([]) == "O" and split_label("O") == []
    assert split_label(join_types(["PER", "ORG", "PER"])) == ["ORG", "PER"]


def test_the_tables_say_which_types_a_label_stands_for():
    labels = SpanLabels(("O", "PER", "ORG + PER", "PER (part)"))
    assert labels.background == 0
    assert labels.types == ("ORG", "PER", "PER (part)")
    assert labels.holds.astype(int).tolist() == [[0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert labels.is_part.tolist() == [False, False, True] and labels.has_parts


def test_labels_of_given_spans_have_no_background():
    assert SpanLabels(("PER", "ORG")).background == -1 and not SpanLabels(("PER", "ORG")).has_parts
