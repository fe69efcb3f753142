"""Findings agree with the numbers."""

from dataclasses import replace

import pytest

from ner_zoo.analysis.findings import findings
from tests.analysis.examples import empty_example, example


@pytest.fixture(scope="module")
def analysis():
    return example(types=4, has_rival=True, is_calibrated=True)


def test_requested_results_come_first(analysis):
    found = findings(analysis)
    assert found[0].startswith("Model A is better by") and "temperature 1.80" in found[1] and len(found) > 4


def test_models_that_are_as_good_are_reported(analysis):
    (test,) = analysis.rival.significance
    same = replace(analysis.rival, significance=[replace(test, second=test.first, difference=0.0)])
    assert findings(replace(analysis, rival=same))[0] == f"Both models have the same F1, {test.first:.2%}."


def test_an_overconfident_model_is_reported(analysis):
    sure = [one for one in findings(replace(analysis, tempered=None)) if "overconfident" in one]
    assert len(sure) == 1 and "--calibrate" in sure[0]


def test_a_temperature_that_does_not_help_is_reported(analysis):
    worse = replace(analysis.tempered, calibration=replace(analysis.calibration, ece=0.9))
    assert "does not help" in findings(replace(analysis, tempered=worse))[1]
    same_file = replace(analysis.tempered, fitted_on=analysis.file)
    assert "the file it was fitted to" in findings(replace(analysis, tempered=same_file))[1]


def test_entities_out_of_reach_bound_the_recall(analysis):
    found = findings(replace(analysis, out_of_reach=analysis.entities.strict.gold // 2))
    assert any("cannot exceed 50.0%" in one for one in found)


def test_an_empty_file_is_reported():
    assert findings(empty_example()) == ["The file has no entities, so there is nothing to report."]
