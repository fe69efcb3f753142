import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Relation
from ner_zoo.labels.prediction import Prediction
from ner_zoo.predictors.options import Options, overlap

BANK, PLACE, PERSON = Entity.of("ORG", 2, 5), Entity.of("LOC", 4, 5), Entity.of("PER", 0, 1)
WORKS, LIES = Relation("works_for", PERSON, BANK), Relation("lies_in", BANK, PLACE)
WHOLE = Prediction([(PLACE, 0.6), (BANK, 0.8), (PERSON, 0.3)], [(WORKS, 0.2), (LIES, 0.5)])


def test_entities_come_in_text_order_the_wider_first() -> None:
    assert [entity for entity, _ in Options().select(WHOLE).entities] == [PERSON, BANK, PLACE]


def test_relations_go_with_their_entities() -> None:
    wanted = Options(threshold=0.4).select(WHOLE)
    assert [entity for entity, _ in wanted.entities] == [BANK, PLACE]
    assert [relation for relation, _ in wanted.relations] == [LIES]


def test_without_nesting_only_the_most_probable_of_overlapping_entities_is_kept() -> None:
    wanted = Options(nested=False).select(WHOLE)
    assert [entity for entity, _ in wanted.entities] == [PERSON, BANK]
    assert [relation for relation, _ in wanted.relations] == [WORKS]


def test_an_entity_in_the_gap_of_another_does_not_overlap_it() -> None:
    gappy = Entity("ADR", ((0, 1), (3, 4)))
    assert not overlap(gappy, Entity.of("PER", 1, 3))
    assert overlap(gappy, Entity.of("PER", 2, 4))


@pytest.mark.parametrize("options", [{"threshold": 1.5}, {"threshold": -0.1}, {"top_k": -1}])
def test_invalid_options_are_refused(options) -> None:
    with pytest.raises(ConfigurationError):
        Options(**options)
