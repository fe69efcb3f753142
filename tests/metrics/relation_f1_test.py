from ner_zoo.annotation import Entity, Relation
from ner_zoo.metrics.relation_f1 import RelationF1

ANN, ACME, ROME = Entity.of("PER", 0, 1), Entity.of("ORG", 2, 4), Entity.of("LOC", 5, 6)
WORKS, LIVES = Relation("works_for", ANN, ACME), Relation("lives_in", ANN, ROME)


def figures(predicted, gold, is_strict=True):
    metric = RelationF1(is_strict)
    metric([predicted], [gold])
    return metric.get_metric(reset=True)


def test_a_relation_whose_entities_were_not_found_is_missed():
    found = figures([WORKS], [WORKS, LIVES])
    assert (found["relation_precision"], found["relation_recall"]) == (1.0, 0.5)
    assert found["relation_f1/lives_in"] == 0.0 and found["relation_f1/works_for"] == 1.0


def test_direction_and_label_count():
    assert figures([Relation("works_for", ACME, ANN)], [WORKS])["relation_f1"] == 0.0
    assert figures([Relation("owns", ANN, ACME)], [WORKS])["relation_f1"] == 0.0
    assert figures([Relation("works_for", ACME, ANN)], [WORKS], is_strict=False)["relation_boundaries_f1"] == 0.0


def test_the_types_of_the_entities_count_only_if_strict():
    other = Relation("works_for", Entity.of("LOC", 0, 1), ACME)
    assert figures([other], [WORKS])["relation_f1"] == 0.0
    assert figures([other], [WORKS], is_strict=False)["relation_boundaries_f1"] == 1.0


def test_the_borders_of_the_entities_always_count():
    wider = Relation("works_for", Entity.of("PER", 0, 2), ACME)
    assert figures([wider], [WORKS], is_strict=False)["relation_boundaries_f1"] == 0.0


def test_a_relation_given_twice_counts_once():
    assert figures([WORKS, WORKS], [WORKS])["relation_precision"] == 1.0
