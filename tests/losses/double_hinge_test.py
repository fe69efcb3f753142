"""The double hinge, against all labellings written out."""

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.losses.double_hinge import DoubleHinge
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


def test_the_gold_labelling_must_outscore_the_altered_one_by_its_cost(structure):
    expected = []
    for sentence in enumerated(structure):
        altered, gold = sentence.altered, sentence.gold
        second = max(0.0, sentence.score(altered) + sentence.cost(gold, altered) - sentence.score(gold))
        expected.append(sentence.hinge() + second)
    found = DoubleHinge(vocabulary()).per_sentence(structure, padded(GOLD))
    assert_close(found, torch.tensor(expected, dtype=torch.float64))


def test_where_nothing_is_altered_it_is_the_hinge(structure):
    found, hinge = (loss.per_sentence(structure, padded(GOLD)) for loss in (DoubleHinge(vocabulary()), Hinge()))
    assert torch.equal(found[UNCHANGED], hinge[UNCHANGED])


def test_its_gradient_is_right(structure):
    assert is_differentiable(DoubleHinge(vocabulary()), structure)
