"""The discounted margin, against all labellings written out."""

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.losses.discounted_margin import DiscountedMargin
from ner_zoo.losses.hinge import Hinge
from tests.losses.enumerated_hinge import (
    GOLD,
    STRUCTURES,
    UNCHANGED,
    enumerated,
    is_differentiable,
    padded,
    random_structure,
    vocabulary,
)


@pytest.fixture(params=STRUCTURES)
def structure(request):
    return random_structure(request.param)


def test_the_altered_labelling_must_outscore_others_by_a_discounted_cost(structure):
    expected = []
    for number, sentence in enumerate(enumerated(structure)):
        worse, altered = sentence.violating, sentence.altered
        discount = 1.0 if number in UNCHANGED else 0.85
        margin = discount * sentence.cost(altered, worse)
        second = max(0.0, sentence.score(worse) + margin - sentence.score(altered))
        expected.append(sentence.hinge() + second)
    found = DiscountedMargin(vocabulary(), df=0.85).per_sentence(structure, padded(GOLD))
    assert_close(found, torch.tensor(expected, dtype=torch.float64))


def test_where_nothing_is_altered_it_is_twice_the_hinge(structure):
    found, hinge = (loss.per_sentence(structure, padded(GOLD)) for loss in (DiscountedMargin(vocabulary()), Hinge()))
    assert torch.equal(found[UNCHANGED], 2 * hinge[UNCHANGED])


def test_its_gradient_is_right(structure):
    assert is_differentiable(DiscountedMargin(vocabulary()), structure)


def test_a_discount_that_is_not_a_share_is_refused():
    with pytest.raises(ConfigurationError, match="df is 92.5.*0 to 1"):
        DiscountedMargin(vocabulary(), df=92.5)
