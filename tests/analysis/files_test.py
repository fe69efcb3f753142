"""Written files can be read again, and their numbers add up."""

import json

import pytest

from ner_zoo.analysis.files import write_files
from ner_zoo.analysis.summary import summary
from tests.analysis.examples import empty_example, example

CASES = {
    "1 type": lambda: example(types=1, sentences=40),
    "18 types": lambda: example(types=18, has_relations=True, has_rival=True, is_calibrated=True, sentences=40),
    "empty": empty_example,
}


@pytest.fixture(scope="module", params=sorted(CASES))
def analysis(request):
    return CASES[request.param]()


def strict(text):
    """JSON without NaN and Infinity, which other languages cannot read."""

    def refuse(constant):
        raise AssertionError(constant)

    return json.loads(text, parse_constant=refuse)


def test_files_hold_the_numbers_and_every_error(analysis, tmp_path):
    write_files(tmp_path / "report", analysis)
    metrics = strict((tmp_path / "report" / "metrics.json").read_text())
    assert metrics["entities"]["gold"] == sum(metrics["errors"]["gold"].values())
    assert metrics["entities"]["predicted"] == sum(metrics["errors"]["predicted"].values())
    assert set(metrics["entities"]["types"]) == set(analysis.entities.by_type)
    errors = [strict(line) for line in (tmp_path / "report" / "errors.jsonl").read_text().splitlines()]
    wrong = analysis.errors.gold[1:].sum() + analysis.errors.predicted[-1]
    assert sum(one["kind"] == "entity" for one in errors) == wrong
    for one in errors:
        side = one["gold"] or one["predicted"]
        if one["kind"] == "entity":
            assert one["text"][slice(*side["fragments"][0])] == side["text"]
        assert (one["gold"] is None) == (one["class"] == "spurious")
        assert (one["predicted"] is None) == (one["class"] == "missed")
    noise = [strict(line) for line in (tmp_path / "report" / "noise.jsonl").read_text().splitlines()]
    assert len(noise) == len(analysis.noise) == sum(metrics["noise"].values())


def test_the_summary_fits_a_terminal(analysis, tmp_path):
    text = summary(analysis, tmp_path)
    assert "F1" in text and "report.html" in text and "missed" in text
    assert len(text.splitlines()) < 60
    assert ("Nothing was predicted" in text) == (len(analysis.calibration.scores) == 0)
    assert ("calibrated.tar.gz" in text) == (analysis.tempered is not None)
