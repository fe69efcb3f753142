from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.corpora.statistics import Statistics


def statistics_of(*sentences):
    statistics = Statistics()
    for sentence in sentences:
        statistics.add(sentence)
    return statistics


def words(count):
    return tuple("abcdefghij"[:count])


def test_counts_widths_lengths_and_types_add_up():
    ada, lune = Entity.of("PER", 0, 2), Entity.of("LOC", 3, 4)
    first = Sentence(words(4), (ada, lune), (Relation("lives_in", ada, lune),))
    statistics = statistics_of(first, Sentence(words(2)), first)
    assert (statistics.sentences, statistics.tokens, statistics.entities, statistics.relations) == (3, 10, 4, 2)
    assert statistics.entity_types == {"PER": 2, "LOC": 2}
    assert statistics.relation_types == {"lives_in": 2}
    assert statistics.widths == {2: 2, 1: 2}
    assert statistics.lengths == {4: 2, 2: 1}
    assert statistics.tags == {"O": 4, "B-PER": 2, "I-PER": 2, "B-LOC": 2}


def test_nested_crossing_and_doubly_typed_entities_are_distinguished():
    nested = Sentence(
        words(6), (Entity.of("A", 0, 4), Entity.of("B", 1, 2), Entity.of("C", 1, 2), Entity.of("D", 4, 6))
    )
    crossing = Sentence(words(6), (Entity.of("A", 0, 3), Entity.of("B", 2, 5)))
    statistics = statistics_of(nested, crossing)
    assert (statistics.nested, statistics.crossing, statistics.two_types) == (2, 1, 1)
    assert statistics.tags == {"O": 3, "B-A": 2, "I-A": 5, "B-D": 1, "I-D": 1}


def test_discontinuous_entities_and_unknown_tokens_are_counted():
    apart = Entity("A", ((0, 1), (2, 3)))
    statistics = statistics_of(Sentence(words(5), (apart,), unknown=(4,)))
    assert (statistics.discontinuous, statistics.unknown_tokens) == (1, 1)
    assert statistics.tags["O"] == 1


def test_the_dictionary_is_plain_and_complete():
    found = statistics_of(Sentence(words(2), (Entity.of("PER", 0, 1),))).to_dict()
    assert list(found)[:6] == ["sentences", "tokens", "entities", "relations", "entity_types", "relation_types"]
    assert found["widths"] == {"1": 1} and found["lengths"] == {"2": 1} and found["nested"] == 0
