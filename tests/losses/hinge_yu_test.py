"""Hinge-yu, against all labellings written out."""

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.losses.hinge import Hinge
from ner_zoo.losses.hinge_yu import HingeYu
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


def test_the_altered_labelling_must_outscore_others_by_what_they_cost_more_than_itself(structure):
    expected = []
    for sentence in enumerated(structure):
        worse, gold, altered = sentence.violating, sentence.gold, sentence.altered
        margin = sentence.cost(gold, worse) - sentence.cost(gold, altered)
        second = max(0.0, sentence.score(worse) + margin - sentence.score(altered))
        expected.append(sentence.hinge() + second)
    found = HingeYu(vocabulary()).per_sentence(structure, padded(GOLD))
    assert_close(found, torch.tensor(expected, dtype=torch.float64))


def test_where_nothing_is_altered_it_is_twice_the_hinge(structure):
    found, hinge = (loss.per_sentence(structure, padded(GOLD)) for loss in (HingeYu(vocabulary()), Hinge()))
    assert torch.equal(found[UNCHANGED], 2 * hinge[UNCHANGED])


def test_its_gradient_is_right(structure):
    assert is_differentiable(HingeYu(vocabulary()), structure)
