"""Calibration against values worked out by hand."""

import numpy as np
import pytest

from ner_zoo.analysis.answers import Answer
from ner_zoo.analysis.calibration import calibration, entity_calibration, risk_coverage
from ner_zoo.annotation import Entity, Sentence


def test_the_ece_is_the_mean_distance_of_confidence_and_accuracy():
    found = calibration([0.95, 0.91, 0.55, 0.51], [True, False, True, True])
    # Two bins of two predictions: |0.93 - 0.5| and |0.53 - 1|.
    assert found.ece == pytest.approx((2 * 0.43 + 2 * 0.47) / 4)
    assert found.brier == pytest.approx((0.05**2 + 0.91**2 + 0.45**2 + 0.49**2) / 4)
    assert found.counts.tolist() == [0, 0, 0, 0, 0, 2, 0, 0, 0, 2]
    assert np.isnan(found.confidence[0]) and found.accuracy[9] == 0.5


def test_probabilities_that_are_right_have_no_error():
    assert calibration([0.75] * 4, [True, True, True, False]).ece == pytest.approx(0.0)


def test_the_risk_grows_as_less_probable_predictions_are_taken():
    coverage, risk = risk_coverage(np.array([0.2, 0.9, 0.6, 0.4]), np.array([False, True, True, False]))
    assert coverage.tolist() == [0.25, 0.5, 0.75, 1.0]
    assert risk.tolist() == pytest.approx([0.0, 0.0, 1 / 3, 0.5])


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]])
def test_predictions_of_one_probability_share_their_errors_whatever_their_order(order):
    right = np.array([True, True, False, False])[order]
    found = calibration([1.0] * 4, list(right))
    assert found.risk.tolist() == pytest.approx([0.5] * 4) and found.risk_area == pytest.approx(0.5)
    assert found.ece == pytest.approx(0.5) and found.counts[-1] == 4


def test_the_best_order_has_the_least_area():
    scores, right = [0.9, 0.8, 0.3, 0.1], [True, True, False, False]
    assert calibration(scores, right).risk_area < calibration(scores, right[::-1]).risk_area


def test_no_predictions_have_no_figures():
    found = calibration([], [])
    assert np.isnan([found.ece, found.brier, found.risk_area]).all() and len(found.risk) == 0


def test_an_entity_is_right_if_its_type_and_tokens_are():
    sentence = Sentence(("Ann", "Lin"), (Entity.of("PER", 0, 2),))
    answer = Answer(sentence, {Entity.of("PER", 0, 2): 0.9, Entity.of("ORG", 0, 2): 0.4, Entity.of("PER", 0, 1): 0.3})
    found = entity_calibration([answer])
    assert found.is_correct.tolist() == [True, False, False] and found.scores.tolist() == [0.9, 0.4, 0.3]
