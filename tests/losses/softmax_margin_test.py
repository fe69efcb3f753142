"""The softmax margin, against all labellings written out."""

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.losses.softmax_margin import SoftmaxMargin
from tests.losses.enumerated_hinge import (
    GOLD,
    STRUCTURES,
    enumerated,
    is_differentiable,
    padded,
    random_structure,
)
from tests.structures.enumeration import legal_labellings


@pytest.fixture(params=STRUCTURES)
def structure(request):
    return random_structure(request.param)


def test_the_gold_labelling_is_probable_among_labellings_raised_by_their_cost(structure):
    expected = []
    for number, sentence in enumerate(enumerated(structure)):
        every = legal_labellings(structure, number)
        raised = [score + sentence.cost(sentence.gold, labels) for labels, score in every.items()]
        expected.append(torch.stack(raised).logsumexp(0) - sentence.score(sentence.gold))
    assert_close(SoftmaxMargin().per_sentence(structure, padded(GOLD)), torch.stack(expected))


def test_its_gradient_is_right(structure):
    assert is_differentiable(SoftmaxMargin(), structure)
