from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Link, Mention, TokenOffsets, cut_tokens
from ner_zoo.data.repairs import Repairs


def test_tokens_are_cut_at_every_edge_inside_them():
    repairs = Repairs()
    assert cut_tokens([(0, 4), (5, 9), (9, 10)], [0, 2, 3, 4, 7, 9, 20], repairs, "f:1") == [
        (0, 2),
        (2, 3),
        (3, 4),
        (5, 7),
        (7, 9),
        (9, 10),
    ]
    assert repairs.counts["token split at an entity boundary"] == 3


def test_the_tokens_on_stretches_of_characters_join_where_they_touch():
    tokens = TokenOffsets([(0, 2), (3, 5), (6, 8), (9, 11)])
    assert tokens.inside([(6, 8), (0, 5)]) == [(0, 3)]
    assert tokens.inside([(9, 11), (0, 2)]) == [(0, 1), (3, 4)]
    assert tokens.inside([(2, 3)]) == []
    assert tokens.inside([(0, 11), (3, 5)]) == [(0, 4)]


def test_fragments_out_of_order_make_an_entity_in_order():
    mention = Mention("DATE", ((19, 21), (10, 12)), "f:1")
    assert TokenOffsets([(0, 2), (3, 5), (9, 11)]).entity(mention, 10) == Entity("DATE", ((0, 1), (2, 3)))


def test_white_space_at_the_edges_of_a_mention_is_not_part_of_it():
    repairs = Repairs()
    mentions = {
        "a": Mention("X", ((0, 4), (5, 7)), "f:1"),
        "b": Mention("X", ((4, 7),), "f:2"),
        "c": Mention("X", ((3, 3),), "f:3"),
    }
    links = [Link("r", "a", "a", "f:4"), Link("r", "a", "b", "f:5"), Link("r", "z", "a", "f:6")]
    tidied = AnnotatedText(" ab    cd", "f:1", mentions, links).tidied(repairs)
    assert tidied.mentions == {"a": Mention("X", ((1, 3),), "f:1")}
    assert tidied.links == links[:1]
    assert repairs.counts == {
        "empty entity left out": 2,
        "relation to a missing entity left out": 2,
    }
