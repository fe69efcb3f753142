import json
import math
from pathlib import Path

import pytest
from scipy.stats import ttest_ind_from_stats

from ner_zoo.analysis.significance import cohens_d, welch
from ner_zoo.experiments import markdown
from ner_zoo.experiments.machine import describe
from ner_zoo.experiments.picture import draw, interval
from ner_zoo.experiments.plan import Plan, Variation, make_plan
from ner_zoo.experiments.schedule import FAILED, FINISHED
from ner_zoo.experiments.scores import is_less_better, validation_metrics, with_companions
from ner_zoo.experiments.summary import as_json, figure, summarise
from tests.experiments.examples import plain_config, pretend, write_config

# Three scores with the published means and standard deviations.
PUBLISHED = {"nll": (0.8854, 0.0013), "hinge": (0.8881, 0.0006), "discounted_margin": (0.8916, 0.0003)}


def published(folder: Path) -> Plan:
    paths = [write_config(folder, name, plain_config()) for name in (*PUBLISHED, "broken")]
    plan = make_plan(paths, folder / "runs")
    for run in plan.runs:
        if run.config in PUBLISHED:
            mean, deviation = PUBLISHED[run.config]
            pretend(run, mean + (run.number - 1) * deviation, test=mean - 0.01 * run.number)
    return plan


def states(plan: Plan) -> dict:
    return {run.name: FAILED if run.config == "broken" else FINISHED for run in plan.runs}


def test_the_table_of_the_paper_comes_out_of_its_runs(tmp_path: Path) -> None:
    plan = published(tmp_path)
    text = markdown.render(summarise(plan, states(plan)), describe(2, 1, ["compare"]))
    lines = [[cell.strip() for cell in line.split("|")[1:6]] for line in text.splitlines() if line.startswith("| ")]
    assert lines[0] == ["config", "seeds", "entity_f1", "p", "d"]
    assert lines[2] == ["nll", "3", "88.54 ± 0.13", "", ""]
    for line, name, told in ((lines[3], "hinge", "88.81 ± 0.06"), (lines[4], "discounted_margin", "89.16 ± 0.03")):
        mean, deviation = PUBLISHED[name]
        p_value = ttest_ind_from_stats(mean, deviation, 3, 0.8854, 0.0013, 3, False, "greater").pvalue
        effect = (mean - 0.8854) / ((deviation**2 + 0.0013**2) / 2) ** 0.5
        assert line == [name, "3", told, f"{p_value:.4f}", f"{effect:.2f}"]
    assert lines[5] == ["broken", "0 of 3 (failed)", "", "", ""]


def test_p_and_d_are_against_the_first_config(tmp_path: Path) -> None:
    plan = published(tmp_path)
    first, second, *_ = summarise(plan, states(plan)).rows
    ours, theirs = (row.figures["dev"]["entity_f1"] for row in (second, first))
    assert (theirs.p_value, theirs.cohens_d) == (None, None)
    assert ours.p_value == welch(ours.scores, theirs.scores)
    assert ours.cohens_d == cohens_d(ours.scores, theirs.scores)


def test_the_test_score_of_the_best_seed_is_of_the_seed_that_is_best_on_dev(tmp_path: Path) -> None:
    plan = published(tmp_path)
    row = summarise(plan, states(plan)).rows[0]
    assert row.best["test"]["entity_f1"] == pytest.approx(0.8854 - 0.02)
    assert row.figures["test"]["entity_f1"].mean == pytest.approx(0.8854 - 0.01)


def test_a_seed_whose_loss_is_not_a_number_is_not_the_best_on_dev(tmp_path: Path) -> None:
    config = plain_config(trainer={"validation_metric": "-loss"})
    plan = make_plan([write_config(tmp_path, "a", config)], tmp_path / "runs", "2")
    for run, loss in zip(plan.runs, (math.nan, 0.7)):
        pretend(run, 0.5)
        (run.folder / "metrics.json").write_text(json.dumps({"best_epoch": 1, "best_validation_loss": loss}))
    (row,) = summarise(plan, {run.name: FINISHED for run in plan.runs}).rows
    assert row.best["dev"] == {"loss": 0.7}


def test_a_lower_loss_is_better() -> None:
    assert is_less_better("loss") and is_less_better("perplexity") and not is_less_better("entity_f1")
    lower = figure([1.0, 1.1, 1.2], [2.0, 2.1, 2.2], "loss")
    assert lower.p_value is not None and lower.p_value < 0.01 and lower.cohens_d is not None and lower.cohens_d > 0


def test_metrics_are_those_the_configs_select_by_with_precision_and_recall(tmp_path: Path) -> None:
    assert validation_metrics({}) == [("loss", -1)]
    assert validation_metrics({"trainer": {"validation_metric": ["+a", "-b"]}}) == [("a", 1), ("b", -1)]
    present = {"entity_f1": 1.0, "entity_precision": 1.0, "relation_recall": 1.0}
    assert with_companions("entity_f1", present) == ["entity_f1", "entity_precision"]
    plan = published(tmp_path)
    assert summarise(plan, states(plan)).metrics == ["entity_f1", "entity_precision", "entity_recall"]
    assert summarise(plan, states(plan), ["entity_recall"]).metrics == ["entity_recall"]


def test_the_best_variant_on_dev_represents_its_config_whatever_the_test_says(tmp_path: Path) -> None:
    variations = [Variation.parse("model.loss.df=0.85,0.9")]
    plan = make_plan([write_config(tmp_path, "margin", plain_config())], tmp_path / "runs", "2", "", variations)
    for run in plan.runs:
        is_first = run.variant.endswith("0.85")
        pretend(run, 0.5 + 0.1 * run.number if is_first else 0.4, test=0.1 if is_first else 0.9)
    summary = summarise(plan, {run.name: FINISHED for run in plan.runs})
    assert [row.variant for row in summary.rows] == ["model.loss.df=0.85"]
    assert len(summary.variants) == 2
    text = markdown.render(summary, describe(1, 1, ["compare"]))
    assert "model.loss.df=0.9" in text and "too optimistic" in " ".join(text.split())


def test_the_results_as_json_have_every_run_and_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plan = published(tmp_path)
    machine = describe(2, 1, ["compare", str(tmp_path / "nll.json"), "/data/elsewhere/x.json", "-s", "runs"])
    text = json.dumps({**machine, **as_json(summarise(plan, states(plan)), plan)})
    assert str(tmp_path) not in text and "/data" not in text
    content = json.loads(text)
    assert content["command"] == "allennlp compare nll.json x.json -s runs"
    assert [run["state"] for run in content["runs"]].count("failed") == 3
    assert content["runs"][0]["epochs"] == [{"entity_f1": pytest.approx(0.44205)}, {"entity_f1": pytest.approx(0.8841)}]
    assert content["runs"][0]["best_epoch"] == 1 and content["runs"][0]["wall_seconds"] == 60
    assert content["configs"][0]["path"] == "nll.json" and content["configs"][0]["is_baseline"]
    assert content["hardware"]["cores"] >= 1 and content["versions"]["torch"]


def test_the_interval_of_a_mean_is_students() -> None:
    assert interval([1.0]) == (1.0, 1.0)
    assert interval([1.0, 2.0, 3.0]) == pytest.approx((2 - 4.302653 / 3**0.5, 2 + 4.302653 / 3**0.5))


def test_the_picture_grows_with_the_configs(tmp_path: Path) -> None:
    from io import BytesIO

    from PIL import Image

    plan = published(tmp_path)
    summary = summarise(plan, states(plan))
    few = Image.open(BytesIO(draw(summary)))
    summary.rows.extend(summary.rows[1:] * 3)
    many = Image.open(BytesIO(draw(summary)))
    assert many.width == few.width and many.height > few.height + 400
    nothing = summarise(plan, {run.name: FAILED for run in plan.runs})
    assert Image.open(BytesIO(draw(nothing))).height < few.height
