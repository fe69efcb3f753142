import json
from pathlib import Path
from typing import Any

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.experiments.plan import Plan, Variation, make_plan, seeds_of, unique_names
from tests.experiments.examples import plain_config, write_config


def planned(folder: Path, configs: dict[str, dict[str, Any]], **options: Any) -> Plan:
    paths = [write_config(folder, name, config) for name, config in configs.items()]
    return make_plan(paths, folder / "runs", **options)


def test_every_config_is_trained_with_every_seed_one_seed_after_the_other(tmp_path: Path) -> None:
    plan = planned(tmp_path, {"a": plain_config(), "b": plain_config()}, seeds="2")
    assert [run.name for run in plan.runs] == ["a/seed 5", "b/seed 5", "a/seed 6", "b/seed 6"]
    assert [run.params["random_seed"] for run in plan.runs] == [5, 5, 6, 6]
    for run in plan.runs:
        assert run.params["random_seed"] == run.params["numpy_seed"] == run.params["pytorch_seed"]
    assert len({run.hash for run in plan.runs if run.config == "a"}) == 2
    assert plan.runs[2].folder.parts[-3:] == ("runs", "a", "seed_6")


def test_seeds_are_a_count_from_the_configs_own_or_a_list() -> None:
    assert seeds_of("3", {"random_seed": 7}) == [7, 8, 9]
    assert seeds_of("2", {}) == [13370, 13371]
    assert seeds_of("4,2", {"random_seed": 7}) == [4, 2]
    assert seeds_of("4,", {"random_seed": 7}) == [4]


@pytest.mark.parametrize("text", ["0", "", "-1", "x", "1,1", "1,-2", "1.5"])
def test_other_seeds_are_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="neither a count, such as 3, nor a list"):
        seeds_of(text, {})


def test_names_are_file_stems_made_unique(tmp_path: Path) -> None:
    paths = [tmp_path / "x" / "nll.jsonnet", tmp_path / "y" / "nll.jsonnet", tmp_path / "y" / "hinge.jsonnet"]
    assert unique_names(paths) == ["x_nll", "y_nll", "hinge"]
    with pytest.raises(ConfigurationError, match="given twice"):
        unique_names([paths[0], tmp_path / "x" / ".." / "x" / "nll.jsonnet"])


def test_overrides_reach_every_config(tmp_path: Path) -> None:
    configs = {"a": plain_config(), "b": plain_config()}
    before, after = planned(tmp_path, configs), planned(tmp_path, configs, overrides='{"trainer.num_epochs": 9}')
    assert {run.params["trainer"]["num_epochs"] for run in after.runs} == {9}
    assert not {run.hash for run in before.runs} & {run.hash for run in after.runs}


def test_every_combination_of_what_is_varied_is_a_variant_where_the_config_has_the_keys(tmp_path: Path) -> None:
    variations = [Variation.parse("model.loss.df=0.85,0.9"), Variation.parse("trainer.num_epochs=1,2")]
    configs = {"nll": plain_config(model={"loss": "nll"}), "margin": plain_config()}
    plan = planned(tmp_path, configs, seeds="1", variations=variations)
    assert [run.variant for run in plan.runs if run.config == "nll"] == ["trainer.num_epochs=1", "trainer.num_epochs=2"]
    margins = [run for run in plan.runs if run.config == "margin"]
    assert len({run.hash for run in margins}) == len({run.folder for run in margins}) == 4
    chosen = [(run.params["model"]["loss"]["df"], run.params["trainer"]["num_epochs"]) for run in margins]
    assert chosen == [(0.85, 1), (0.85, 2), (0.9, 1), (0.9, 2)]


def test_values_are_json_or_words_and_their_folders_have_no_slashes(tmp_path: Path) -> None:
    assert Variation.parse('model.loss="nll",{"type":"focal"}').values == ("nll", {"type": "focal"})
    assert Variation.parse("model.loss=nll,hinge,3").values == ("nll", "hinge", 3)
    variations = [Variation("train_data_path", ("a/b.txt", "a_b.txt"))]
    plan = planned(tmp_path, {"a": plain_config(train_data_path="x")}, seeds="1", variations=variations)
    assert len({run.folder for run in plan.runs}) == 2
    assert {len(run.folder.relative_to(plan.runs[0].folder.parents[2]).parts) for run in plan.runs} == {3}


def test_a_value_that_is_given_twice_is_tried_once_and_a_key_is_not_given_twice(tmp_path: Path) -> None:
    variation = Variation.parse("model.loss.df=0.9,0.95,0.9")
    plan = planned(tmp_path, {"a": plain_config()}, seeds="1", variations=[variation])
    assert [run.variant for run in plan.runs] == ["model.loss.df=0.9", "model.loss.df=0.95"]
    with pytest.raises(ConfigurationError, match="is given twice"):
        planned(tmp_path, {"a": plain_config()}, variations=[variation, variation])


@pytest.mark.parametrize(("text", "problem"), [("model.loss.df", "is not KEY=VALUE"), ("model.x=1", "no config has")])
def test_variations_of_nothing_are_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        planned(tmp_path, {"a": plain_config()}, variations=[Variation.parse(text)])


def tuned(name: str, **changes: Any) -> dict[str, Any]:
    return plain_config(model={"weights": f"{{run:{name}}}/best.th"}, **changes)


def test_a_config_takes_the_folder_of_another_ones_run_with_the_same_seed_index(tmp_path: Path) -> None:
    plan = planned(tmp_path, {"tuned": tuned("nn", random_seed=8), "nn": plain_config()}, seeds="2")
    by_name = {run.name: run for run in plan.runs}
    for ours, theirs in (("tuned/seed 8", "nn/seed 5"), ("tuned/seed 9", "nn/seed 6")):
        assert by_name[ours].needs == [by_name[theirs]]
        assert by_name[ours].params["model"]["weights"] == f"{by_name[theirs].folder}/best.th"


def test_the_name_of_a_needed_config_may_have_any_letters(tmp_path: Path) -> None:
    plan = planned(tmp_path, {"tuned": tuned("modèle"), "modèle": plain_config()})
    first, *_ = plan.runs
    (needed,) = first.needs
    assert needed.config == "modèle" and first.params["model"]["weights"] == f"{needed.folder}/best.th"


def test_a_run_changes_with_what_it_needs_but_not_with_its_location(tmp_path: Path) -> None:
    def hashes(place: str, epochs: int) -> list[str]:
        nn = plain_config(trainer={"num_epochs": epochs})
        paths = [write_config(tmp_path, name, config) for name, config in (("nn", nn), ("tuned", tuned("nn")))]
        return [run.hash for run in make_plan(paths, tmp_path / place, seeds="1").runs]

    assert hashes("here", 3) == hashes("there", 3)
    assert hashes("here", 3)[1] != hashes("here", 4)[1]


@pytest.mark.parametrize(
    ("configs", "problem"),
    [
        ({"a": tuned("b"), "b": tuned("a")}, "Circular dependency"),
        ({"a": tuned("a")}, "Circular dependency"),
        ({"a": tuned("c"), "b": plain_config()}, "no config of that name is compared. Available: a, b"),
    ],
)
def test_unavailable_runs_are_refused(tmp_path: Path, configs: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        planned(tmp_path, configs)


def test_a_config_is_what_it_was_when_the_comparison_began(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonnet"
    path.write_text("local epochs = 2; { trainer: { num_epochs: epochs + 1 }, random_seed: 1 }")
    plan = make_plan([path], tmp_path / "runs", seeds="1")
    assert json.loads(json.dumps(plan.runs[0].params))["trainer"] == {"num_epochs": 3}
