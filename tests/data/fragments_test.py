from ner_zoo.annotation import Entity
from ner_zoo.data.fragments import MOST_PATHS, paths
from tests.data.decoded_spans import entities_from_spans


def test_entities_may_share_their_last_part():
    # left(0) and right(1) hand(2)
    assert paths([0, 1, 2], [(0, 2), (1, 2)]) == [(0, 2), (1, 2)]


def test_links_in_a_row_make_one_entity_of_many_parts():
    assert paths([0, 1, 2, 3], [(1, 2), (0, 1)]) == [(0, 1, 2)]


def test_a_link_to_a_span_that_is_not_a_part_of_the_type_does_not_count():
    assert paths([0, 2], [(0, 1), (1, 2)]) == []


def test_the_number_of_paths_is_bounded_however_many_links_there_are():
    everything = [(i, j) for i in range(40) for j in range(i + 1, 40)]
    assert len(paths(range(40), everything)) == MOST_PATHS


def test_labels_and_links_make_entities_of_all_kinds():
    spans = [[[0, 1]], [[0, 4]], [[2, 3]], [[3, 4]]]
    labels = ["A (part) + B", "C", "A (part)", "O"]
    found = entities_from_spans(spans, labels, [(0, 2)])
    assert set(found) == {Entity.of("B", 0, 1), Entity.of("C", 0, 4), Entity("A", ((0, 1), (2, 3)))}


def test_a_part_without_a_link_is_not_an_entity():
    assert entities_from_spans([[[0, 1]], [[2, 3]]], ["A (part)", "A (part)"]) == []
