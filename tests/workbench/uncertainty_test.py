"""Each measure matches its formula, by enumeration of all labellings."""

from math import inf, log, prod

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from pytest import approx
from torch.testing import assert_close

from ner_zoo.data.tag_schemes import entities_from_tags
from ner_zoo.labels.tags import TagLabels
from ner_zoo.structures import Independent, LinearChain, Structure
from ner_zoo.workbench.uncertainty import MEASURES, doubted_types
from tests.structures.enumeration import probabilities, random_mask

LABELS = TagLabels.of(["O", "B-X", "I-X", "B-Y", "I-Y"], "BIO")
LENGTHS = (3, 1, 4)


def structure(kind: str, seed: int = 0) -> Structure:
    torch.manual_seed(seed)
    scores = torch.randn(len(LENGTHS), max(LENGTHS), len(LABELS.names), dtype=torch.float64)
    mask = random_mask(LENGTHS, max(LENGTHS))
    if kind == "independent":
        return Independent(scores, mask, 0)
    transitions = torch.randn(5, 5, dtype=torch.float64)
    return LinearChain(scores, transitions, mask, constraints=LABELS.constraints(), background=0)


@pytest.fixture(params=["chain", "independent"])
def some(request: pytest.FixtureRequest) -> Structure:
    return structure(request.param)


def entities(tags: tuple[int, ...]) -> set:
    return set(entities_from_tags([LABELS.names[tag] for tag in tags]))


def test_expected_entities_is_their_mean_number_over_all_labellings(some):
    expected = [sum(p * len(entities(tags)) for tags, p in probabilities(some, at).items()) for at in range(3)]
    assert_close(LABELS.expected_entities(some), torch.tensor(expected, dtype=torch.float64))


def test_a_chain_whose_tags_do_not_tell_where_entities_begin_is_refused():
    labels = TagLabels.of(["O", "I-X"], "IO")
    chain = LinearChain(torch.randn(1, 3, 2), torch.randn(2, 2), random_mask((3,), 3))
    with pytest.raises(ConfigurationError, match="scheme IO"):
        labels.expected_entities(chain)


def test_measures_of_a_text_of_several_sentences_are_those_of_all_its_labellings(some):
    each = [probabilities(some, at) for at in range(3)]
    texts = {(a, b, c): p * q * r for a, p in each[0].items() for b, q in each[1].items() for c, r in each[2].items()}
    best, second = sorted(texts.values(), reverse=True)[:2]
    expected = {
        "entropy": -sum(p * log(p) for p in texts.values()),
        "least_confidence": -log(best),
        "margin": -log(best - second),
    }
    for name, value in expected.items():
        measure = MEASURES[name]()
        assert measure.value(measure.of_text(measure.of_sentences(LABELS, some)), ()) == approx(value, rel=1e-6)


def test_f1_gain_is_the_rise_of_f1_if_the_errors_of_a_small_text_are_corrected(some):
    measure = MEASURES["f1_gain"]()
    right, predicted, gold = measure.of_text(measure.of_sentences(LABELS, some))
    best = [max(probabilities(some, at).items(), key=lambda pair: pair[1])[0] for at in range(3)]
    common = sum(
        p * len(entities(tags) & entities(best[at])) for at in range(3) for tags, p in probabilities(some, at).items()
    )
    assert right == approx(common, rel=1e-6) and predicted == sum(len(entities(tags)) for tags in best)
    # A corpus in which this text is a small part.
    totals = (1e5, 1.6e5, 1.5e5)
    before = 2 * totals[0] / (totals[1] + totals[2])
    after = 2 * (totals[0] + gold - right) / (totals[1] + gold - predicted + totals[2])
    assert measure.value((right, predicted, gold), totals) / (totals[1] + totals[2]) == approx(after - before, rel=1e-3)


def test_a_type_is_in_doubt_where_its_probability_is_neither_0_nor_1():
    scores = torch.full((1, 2, 5), -inf, dtype=torch.float64)
    scores[0, 0, 0] = 0.0  # surely O
    scores[0, 1, [0, 1]] = 0.0  # O or an X
    doubt = doubted_types(LABELS, Independent(scores, random_mask((2,), 2), 0))
    assert doubt.tolist() == [[0.25, 0.0]]
    assert prod(doubt.shape) == len(LABELS.types)
