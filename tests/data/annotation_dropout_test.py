import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.annotation_dropout import AnnotationDropout

ENTITIES = tuple(Entity.of("X", i, i + 1) for i in range(1000))
SENTENCE = Sentence(tuple("w" for _ in range(1000)), ENTITIES, (Relation("r", ENTITIES[0], ENTITIES[1]),))


@pytest.mark.parametrize("probability", [0.0, 0.5, 0.9, 1.0])
def test_about_the_given_share_is_forgotten_and_the_words_stay(probability):
    left = AnnotationDropout(probability)(SENTENCE, 0)
    assert abs(len(left.entities) / 1000 - (1 - probability)) < 0.06
    assert left.tokens == SENTENCE.tokens


def test_the_same_are_forgotten_every_time_and_others_with_another_seed_or_sentence():
    forget = AnnotationDropout(0.5, seed=1)
    assert forget(SENTENCE, 3) == forget(SENTENCE, 3) == AnnotationDropout(0.5, seed=1)(SENTENCE, 3)
    assert forget(SENTENCE, 3) != forget(SENTENCE, 4)
    assert forget(SENTENCE, 3) != AnnotationDropout(0.5, seed=2)(SENTENCE, 3)


def test_a_relation_goes_with_either_of_its_entities():
    for number in range(20):
        left = AnnotationDropout(0.5)(SENTENCE, number)
        assert len(left.relations) == (ENTITIES[0] in left.entities and ENTITIES[1] in left.entities)


def test_a_probability_above_one_is_refused():
    with pytest.raises(ConfigurationError, match="1.5"):
        AnnotationDropout(1.5)
