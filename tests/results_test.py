"""The page of measurements agrees with the files, and every comparison can be run."""

import copy
import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from results import claim, page, table
from results.__main__ import keep, parse
from results.comparison import ROOT, Comparison, comparisons, to_paste, without_place
from results.join import NotJoinable, join

EVERY = comparisons()
EACH = pytest.mark.parametrize("comparison", EVERY, ids=lambda comparison: comparison.name)
TOY = Comparison(
    name="toy",
    title="A toy, on nothing",
    page="papers/hinge.md",
    configs=["hinge/wnut17_nll", "hinge/wnut17_hinge"],
    metrics=["entity_f1"],
    seeds=2,
    overrides={"trainer.num_epochs": 7},
    quick={"trainer.num_epochs": 1},
    published={"wnut17_hinge": {"entity_f1": "88.81 ± 0.06"}},
    same_protocol={"answer": "no", "why": "It is a toy."},
)


def row(name, scores, p_value=None, effect=None, is_baseline=False):
    mean = sum(scores) / len(scores)
    figure = {"scores": scores, "mean": mean, "sd": 0.01, "p_value": p_value, "cohens_d": effect}
    return {
        "name": name,
        "variant": "",
        "seeds": [1, 2],
        "finished_seeds": [1, 2][: len(scores)],
        "figures": {"dev": {"entity_f1": figure}},
        "wall_seconds": 90.0,
        "cpu_seconds": 60.0,
        "peak_memory_mb": 1234.5,
        "is_baseline": is_baseline,
    }


MEASURED = {
    "command": "allennlp compare nll.jsonnet hinge.jsonnet -s out/results/toy",
    "versions": {"python": "3.11.9", "torch": "2.13.0"},
    "hardware": {"processor": "Abacus", "cores": 2, "memory_gb": 8, "system": "Linux"},
    "jobs": 2,
    "threads": 1,
    "metrics": ["entity_f1"],
    "configs": [row("wnut17_nll", [0.40, 0.42], is_baseline=True), row("wnut17_hinge", [0.45, 0.47], 0.0123, 5.0)],
    "runs": [{"config": "wnut17_nll", "seed": 1, "state": "finished", "wall_seconds": 90.0}],
}


@EACH
def test_a_comparison_names_existing_configs_and_pages(comparison):
    assert all((ROOT / path).exists() for path in comparison.paths)
    assert (page.DOCS / comparison.page).exists()
    assert set(comparison.published) <= set(table.names_of(comparison))
    assert all(set(figures) <= set(comparison.metrics) for figures in comparison.published.values())
    assert comparison.same_protocol["answer"] in ("yes", "nearly", "no") and comparison.same_protocol["why"]


def test_comparisons_and_their_headings_have_names_of_their_own():
    assert len({comparison.name for comparison in EVERY}) == len(EVERY)
    assert len({page.anchor(comparison.title) for comparison in EVERY}) == len(EVERY)


def test_measurements_and_findings_belong_to_a_comparison():
    names = {comparison.name for comparison in EVERY}
    assert set(page.measurements(page.DOCS / "results")) <= names
    assert {path.stem for path in page.FINDINGS.glob("*.md")} <= names


def test_measurements_contain_no_path_of_a_machine():
    for path in (page.DOCS / "results").glob("*.json"):
        assert re.findall(r"(?<![\w.$/-])/(?:home|root|tmp|work|usr|mnt|Users)/[^\"\s]*", path.read_text()) == [], path


def test_the_pages_are_what_the_measurements_make_them():
    stale = [path for path, text in page.pages(EVERY).items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `python -m results --only-write`"


def test_quick_and_full_commands_differ_in_seeds_and_overrides_alone():
    quick, full = (TOY.command(ROOT / "out", is_full) for is_full in (False, True))
    assert full[full.index("--seeds") + 1] == "2" and quick[quick.index("--seeds") + 1] == "1"
    assert json.loads(full[full.index("-o") + 1]) == {"trainer.num_epochs": 7}
    assert json.loads(quick[quick.index("-o") + 1]) == {"trainer.num_epochs": 1}
    assert [word for word in full if word not in quick] == ["2", '{"trainer.num_epochs": 7}']


def test_a_command_is_reported_with_what_it_varies():
    told = replace(TOY, vary=["model.loss.w=2,5"]).told(page.FULL / "toy")
    assert told.startswith("allennlp compare ") and "--vary=model.loss.w=2,5 " in told
    assert MEASURED["command"] in page.section(TOY, MEASURED)


def test_an_encoder_that_is_needed_is_missing_until_its_folder_is_there(tmp_path):
    encoder = tmp_path / "encoder"
    toy = replace(TOY, encoder=str(encoder))
    assert TOY.missing_encoder is None and toy.missing_encoder == str(encoder)
    encoder.mkdir()
    assert toy.missing_encoder is None


def test_scores_are_next_to_the_papers_with_p_and_d():
    text = page.section(TOY, MEASURED)
    assert "| `wnut17_nll` | 41.00 ± 1.00 | 40.00, 42.00 | – | – | – | no |" in text
    assert "| `wnut17_hinge` | 46.00 ± 1.00 | 45.00, 47.00 | 0.0123 | 5.00 | 88.81 ± 0.06 | no |" in text
    assert "No. It is a toy." in text
    assert "| `wnut17_nll` | 1, 2 | 1.5 | 1.0 | 1,234 MB |" in text
    assert "Abacus, 2 cores, 8 GB" in text and MEASURED["command"] in text


def test_missing_measurements_are_marked_with_the_command_to_run():
    text = page.section(TOY, None)
    assert "| `wnut17_nll` | not measured |" in text and "--seeds 2" in text
    partly = copy.deepcopy(MEASURED)
    del partly["configs"][1]
    assert "| `wnut17_hinge` | not measured |" in page.section(TOY, partly)


def test_runs_that_failed_and_seeds_that_are_missing_are_reported():
    measured = copy.deepcopy(MEASURED)
    measured["configs"][1] = row("wnut17_hinge", [0.45])
    measured["runs"].append({"config": "wnut17_hinge", "seed": 2, "state": "failed", "reason": "One\nOut of memory."})
    text = page.section(TOY, measured)
    assert "- `wnut17_hinge`, seed 2: failed: Out of memory." in text
    assert "| `wnut17_hinge` | 1 (1 more did not finish) |" in text


def test_single_runs_and_what_was_varied_are_reported():
    measured = copy.deepcopy(MEASURED)
    bootstrap = {"difference": 0.05, "p_value": 0.02, "samples": 10, "interval": [-0.01, 0.11]}
    names = {"config": "wnut17_hinge", "baseline": "wnut17_nll", "metric": "entity_f1", "seed": 1}
    measured["pairs"] = [{**names, "bootstrap": bootstrap, "randomisation": None}]
    measured["variants"] = [{**row("wnut17_hinge", [0.45, 0.47]), "variant": "model.loss.df=0.9"}]
    text = page.section(TOY, measured)
    assert "`wnut17_hinge` against `wnut17_nll` | entity_f1 | 1 | +5.00 | -1.00 to +11.00 | 0.0200 | – |" in text
    assert "| `wnut17_hinge` | model.loss.df=0.9 | 46.00 ± 1.00 |" in text
    assert "against `wnut17_nll` |" not in page.section(replace(TOY, are_rivals=False), measured)


def test_test_data_are_reported_where_there_are_any():
    measured = copy.deepcopy(MEASURED)
    for one in measured["configs"]:
        one["figures"]["test"] = {"entity_f1": {**one["figures"]["dev"]["entity_f1"], "mean": 0.1}}
    text = page.section(TOY, measured)
    assert "| config | entity_f1, dev | entity_f1, test |" in text
    assert "| `wnut17_hinge` | 46.00 ± 1.00 | 10.00 ± 1.00 |" in text


def with_seeds(measured, seeds):
    """The part of a measurement that has these seeds, as if they had been measured at once."""
    chosen = {name: [one for one in measured[name] if one["seed"] in seeds] for name in ("runs", "pairs")}
    others = {name: value for name, value in measured.items() if name != "parts"}
    return {**copy.deepcopy(others), **chosen}


def numbers_close(content):
    """The same, so that numbers are compared with a tolerance."""
    if isinstance(content, dict):
        return {name: numbers_close(value) for name, value in content.items()}
    if isinstance(content, list):
        return [numbers_close(value) for value in content]
    return pytest.approx(content, rel=1e-9) if isinstance(content, float) else content


@EACH
def test_seeds_measured_at_different_times_are_joined_as_if_at_once(comparison):
    measured = page.measurements(page.DOCS / "results")[comparison.name]
    seeds = sorted({run["seed"] for run in measured["runs"]})
    joined = join(with_seeds(measured, seeds[:2]), with_seeds(measured, seeds[2:]), measured["command"])
    assert [part["seeds"] for part in joined["parts"]] == [seeds[:2], seeds[2:]]
    without_parts = {name: value for name, value in joined.items() if name != "parts"}
    assert without_parts == numbers_close({name: value for name, value in measured.items() if name != "parts"})


def test_measurements_that_do_not_belong_together_are_not_joined():
    measured = page.measurements(page.DOCS / "results")["wnut17"]
    first, second = (with_seeds(measured, seeds) for seeds in ([13370, 13371], [13372]))
    with pytest.raises(NotJoinable, match="Both have wnut17 with seed 13370"):
        join(measured, first, "")
    with pytest.raises(NotJoinable, match="differ in versions"):
        join(first, {**second, "versions": {"torch": "1.0"}}, "")
    with pytest.raises(NotJoinable, match="Only the new measurement has another"):
        join(first, {**second, "configs": [{**second["configs"][0], "name": "another"}]}, "")


def test_the_page_says_which_seeds_were_measured_when_and_which_were_paired():
    parts = [
        {"seeds": [1, 2], "hardware": {"processor": "Abacus"}},
        {"seeds": [3], "hardware": {"processor": "Soroban"}},
    ]
    runs = [{"seed": seed} for seed in (1, 2, 3)]
    told = page.in_parts({"parts": parts, "runs": runs, "pairs": [{"seed": 3}]})
    assert (
        "at different times: 1, 2 (Abacus); then 3 (Soroban)." in told and "sentence by sentence only with 3." in told
    )
    assert "only" not in page.in_parts({"parts": parts, "runs": runs, "pairs": runs})
    assert page.in_parts(MEASURED) == ""


def test_more_seeds_are_added_to_named_comparisons_of_the_full_measurement(capsys):
    assert parse(["toy", "--full", "--more-seeds", "4,5"], ["toy"]).more_seeds == "4,5"
    for words in (
        ["--full", "--more-seeds", "4"],
        ["toy", "--more-seeds", "4"],
        ["toy", "--full", "--more-seeds", "a"],
    ):
        with pytest.raises(SystemExit):
            parse(words, ["toy"])
    assert "'a' is not a list of seeds" in capsys.readouterr().err


def test_a_test_file_is_read_by_the_full_command_alone():
    quick, full = (replace(TOY, test="wnut17/test").command(ROOT / "out", is_full) for is_full in (False, True))
    assert full[full.index("--test") + 1] == "wnut17/test" and "--test" not in quick


CLAIMED = claim.Claim(
    paper="Hinge",
    page="papers/hinge.md",
    claim="it is better",
    comparison="toy",
    baseline="wnut17_nll",
    system="wnut17_hinge",
    metric="entity_f1",
    published="88.54 to 88.81",
    verdict=claim.HOLDS,
    why="It is a toy.",
)


def test_a_claim_is_reported_with_the_figures_that_were_measured():
    text = claim.claim_table([CLAIMED], {"toy": "[A toy](#a-toy)"}, {"toy": MEASURED})
    assert (
        "| [Hinge](papers/hinge.md) | it is better | [A toy](#a-toy) | 41.00 ± 1.00 to 46.00 ± 1.00 (dev, p = 0.0123) "
        "| 88.54 to 88.81 | **yes** | It is a toy. |" in text
    )
    assert "| not measured |" in claim.claim_table([CLAIMED], {}, {})


@pytest.mark.parametrize("one", claim.claims(), ids=lambda one: f"{one.paper} {one.comparison} {one.system}")
def test_the_verdict_on_a_claim_agrees_with_its_figures(one):
    baseline, system = one.figures(page.measurements(page.DOCS / "results"))
    assert baseline is not None and system is not None and one.why
    difference, p = system["mean"] - baseline["mean"], system["p_value"]
    if one.verdict == claim.HOLDS:
        assert difference > 0 and (p is None or p < claim.LEVEL)
    elif one.verdict == claim.NOT:
        assert p is None or p >= claim.LEVEL
    else:
        assert one.verdict == claim.PARTLY


def test_pages_quote_measurements_between_comments_and_keep_the_rest(tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "toy.json").write_text(json.dumps(MEASURED))
    (tmp_path / "one.md").write_text("Before.\n\n<!-- measured toy -->\nold\n<!-- end -->\n\nAfter.\n")
    (tmp_path / "two.md").write_text("<!-- measured toy toy -->\n<!-- end -->\n")
    (tmp_path / "three.md").write_text("Nothing measured.\n")
    written = page.write([TOY], tmp_path)
    assert [path.name for path in written] == ["results.md", "one.md", "two.md"]
    text = (tmp_path / "one.md").read_text()
    assert text.startswith("Before.\n") and text.endswith("After.\n") and "old" not in text
    assert "| `wnut17_hinge` | 46.00 ± 1.00 | 0.0123 | 88.81 ± 0.06 |" in text
    assert "| `wnut17_hinge` | 46.00 ± 1.00 | 46.00 ± 1.00 |" in (tmp_path / "two.md").read_text()
    assert page.write([TOY], tmp_path) == []


def test_the_path_of_the_corpora_is_not_published(tmp_path, monkeypatch):
    monkeypatch.setenv("NER_ZOO_DATA", "/home/ada/corpora")
    (tmp_path / "compare.json").write_text('{"command": "-o /home/ada/corpora/genia", "other": "xx/home/ada/corpora/"}')
    keep(tmp_path / "compare.json", tmp_path / "docs" / "toy.json")
    kept = json.loads((tmp_path / "docs" / "toy.json").read_text())
    assert kept == {"command": "-o $NER_ZOO_DATA/genia", "other": "xx/home/ada/corpora/"}
    assert without_place("/home/ada/corpora/ec") == "$NER_ZOO_DATA/ec"


def test_a_shell_expands_the_place_of_the_corpora_in_a_pasted_command(monkeypatch):
    monkeypatch.setenv("NER_ZOO_DATA", "/corpora")
    command = to_paste("""echo '{"path": "/corpora/ec [every 10th]"}' $NER_ZOO_DATA/test""")
    told = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout
    assert told == '{"path": "/corpora/ec [every 10th]"} /corpora/test\n'


def test_an_unknown_name_is_refused(capsys):
    with pytest.raises(SystemExit):
        parse(["wnut18"], ["wnut16"])
    assert "There is no comparison 'wnut18'. Choose from: wnut16." in capsys.readouterr().err


def test_without_corpora_the_command_says_what_is_missing(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "results", "wnut16"],
        cwd=ROOT,
        env={"NER_ZOO_DATA": str(tmp_path / "none")},
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0 and "Set NER_ZOO_DATA" in done.stderr
