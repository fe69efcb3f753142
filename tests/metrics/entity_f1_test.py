import pytest
from hypothesis import given
from hypothesis import strategies as st

from ner_zoo.annotation import Entity
from ner_zoo.metrics.entity_f1 import EntityF1

TAG = st.sampled_from(["O", "B-X", "I-X", "B-Y-Z", "I-Y-Z"])


def conlleval(gold_rows, guess_rows):
    """
    conlleval's counting, tag by tag: a chunk is correct if both sides start and end it together, with the same
    type.
    """
    correct = gold_chunks = guess_chunks = 0
    for gold, guess in zip(gold_rows, guess_rows):
        before_gold = before_guess = ("O", "")
        inside = False
        for g, p in zip([*gold, "O"], [*guess, "O"]):
            g, p = g.partition("-"), p.partition("-")
            g, p = (g[0], g[2]), (p[0], p[2])

            def ends(a, b):
                return a[0] != "O" and (b[0] in "BO" or a[1] != b[1])

            def starts(a, b):
                return b[0] != "O" and (b[0] == "B" or a[0] == "O" or a[1] != b[1])

            if inside:
                if ends(before_gold, g) and ends(before_guess, p):
                    inside, correct = False, correct + 1
                elif ends(before_gold, g) != ends(before_guess, p) or g[1] != p[1]:
                    inside = False
            if starts(before_gold, g) and starts(before_guess, p) and g[1] == p[1]:
                inside = True
            gold_chunks += starts(before_gold, g)
            guess_chunks += starts(before_guess, p)
            before_gold, before_guess = g, p
    return correct, guess_chunks, gold_chunks


@given(st.lists(st.lists(st.tuples(TAG, TAG), min_size=1, max_size=8), min_size=1, max_size=5))
def test_the_figures_are_conllevals(sentences):
    from ner_zoo.data.tag_schemes import entities_from_tags

    gold, guess = [[g for g, _ in s] for s in sentences], [[p for _, p in s] for s in sentences]
    metric = EntityF1()
    metric([entities_from_tags(tags) for tags in guess], [entities_from_tags(tags) for tags in gold])
    correct, found, wanted = conlleval(gold, guess)
    figures = metric.get_metric(reset=True)
    precision, recall = (correct / found if found else 0.0), (correct / wanted if wanted else 0.0)
    assert figures["entity_precision"] == precision
    assert figures["entity_recall"] == recall
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    assert figures["entity_f1"] == pytest.approx(f1)


def test_types_are_reported_at_the_end_of_an_evaluation_only():
    metric = EntityF1()
    metric([[Entity.of("X", 0, 1), Entity.of("Y", 1, 2)]], [[Entity.of("X", 0, 1), Entity.of("X", 1, 2)]])
    assert set(metric.get_metric()) == {"entity_precision", "entity_recall", "entity_f1"}
    figures = metric.get_metric(reset=True)
    assert (figures["entity_recall/X"], figures["entity_precision/X"], figures["entity_f1/Y"]) == (0.5, 1.0, 0.0)


def test_a_discontinuous_entity_is_right_only_with_all_its_fragments():
    metric = EntityF1()
    metric([[Entity("X", ((0, 1), (2, 3)))], [Entity.of("X", 0, 3)]], [[Entity("X", ((0, 1), (2, 3)))]] * 2)
    assert metric.get_metric()["entity_f1"] == 0.5


def test_two_types_on_one_span_are_two_entities_and_a_repeated_one_is_not():
    metric = EntityF1()
    both = [Entity.of("X", 0, 1), Entity.of("Y", 0, 1)]
    metric([both + both], [both])
    assert metric.get_metric()["entity_f1"] == 1.0


def test_nothing_counted_gives_no_figure_and_nothing_found_gives_zero():
    metric = EntityF1()
    assert metric.get_metric(reset=True) == {}
    metric([[]], [[]])
    assert metric.get_metric(reset=True) == {"entity_precision": 0.0, "entity_recall": 0.0, "entity_f1": 0.0}
    assert metric.get_metric(reset=True) == {}


def test_the_counts_of_each_sentence_stay_until_the_next_evaluation_begins():
    one, other = Entity.of("X", 0, 1), Entity.of("Y", 1, 2)
    metric = EntityF1()
    metric([[one, other], []], [[one], []])
    metric([[]], [[one, other]])
    metric.get_metric(reset=True)
    assert metric.sentence_counts == [(1, 2, 1), (0, 0, 0), (0, 0, 2)]
    metric([[one]], [[one]])
    assert metric.sentence_counts == [(1, 1, 1)]
