import pytest

from ner_zoo.annotation import Entity
from ner_zoo.metrics.typing_accuracy import TypingAccuracy

SPLIT = ((0, 1), (2, 3))


def test_it_is_the_share_of_spans_with_the_right_type():
    metric = TypingAccuracy()
    gold = [[Entity.of("A", 0, 1), Entity.of("B", 2, 3)], [Entity.of("A", 0, 2)]]
    metric([[Entity.of("A", 0, 1), Entity.of("A", 2, 3)], [Entity.of("A", 0, 2)]], gold)
    assert metric.get_metric() == {"typing_accuracy": pytest.approx(2 / 3)}


def test_no_name_of_it_contains_f1():
    metric = TypingAccuracy()
    metric([[Entity.of("A", 0, 1)]], [[Entity.of("A", 0, 1)]])
    assert all(name.startswith("typing_accuracy") for name in metric.get_metric(reset=True))


def test_flat_nested_and_discontinuous_spans_are_also_counted_by_themselves():
    metric = TypingAccuracy()
    gold = [[Entity.of("A", 5, 6), Entity.of("B", 0, 4), Entity.of("B", 0, 1), Entity("C", SPLIT)]]
    metric([[Entity.of("A", 5, 6), Entity.of("B", 0, 4), Entity.of("A", 0, 1), Entity("D", SPLIT)]], gold)
    assert metric.get_metric(reset=True) == {
        "typing_accuracy": 0.5,
        "typing_accuracy/flat": 1.0,
        "typing_accuracy/nested": 0.5,
        "typing_accuracy/discontinuous": 0.0,
    }


def test_naming_more_types_than_there_are_is_not_rewarded():
    metric = TypingAccuracy()
    metric([[Entity.of("A", 0, 1), Entity.of("B", 0, 1)]], [[Entity.of("A", 0, 1)]])
    assert metric.get_metric()["typing_accuracy"] == 0.5


def test_a_span_with_two_types_counts_twice():
    metric = TypingAccuracy()
    metric([[Entity.of("A", 0, 1)]], [[Entity.of("A", 0, 1), Entity.of("B", 0, 1)]])
    assert metric.get_metric()["typing_accuracy"] == 0.5


def test_nothing_counted_gives_no_figure_and_a_reset_forgets():
    metric = TypingAccuracy()
    assert metric.get_metric() == {}
    metric([[]], [[Entity.of("A", 0, 1)]])
    assert metric.get_metric(reset=True)["typing_accuracy"] == 0.0
    assert metric.get_metric() == {}


def test_the_f1_of_the_counts_of_all_sentences_is_the_accuracy_and_a_new_evaluation_forgets_them():
    metric = TypingAccuracy()
    gold = [[Entity.of("A", 0, 1), Entity.of("B", 2, 3)], [], [Entity.of("A", 0, 2), Entity.of("B", 0, 2)]]
    metric([[Entity.of("A", 0, 1), Entity.of("A", 2, 3)], [], [Entity.of("A", 0, 2)]], gold)
    accuracy = metric.get_metric(reset=True)["typing_accuracy"]
    assert metric.sentence_counts == [(1, 2, 2), (0, 0, 0), (1, 2, 2)]
    right, predicted, wanted = map(sum, zip(*metric.sentence_counts))
    assert 2 * right / (predicted + wanted) == accuracy == 0.5
    metric([[Entity.of("A", 0, 1)]], [[Entity.of("A", 0, 1)]])
    assert metric.sentence_counts == [(1, 1, 1)]
