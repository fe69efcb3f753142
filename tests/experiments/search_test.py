import math
from pathlib import Path

from ner_zoo.experiments.plan import Plan, Run, Variation, make_plan
from ner_zoo.experiments.schedule import FINISHED, KEPT, Schedule
from ner_zoo.experiments.search import search
from tests.experiments.examples import PretendingEngine, plain_config, write_config

VARIATIONS = [Variation.parse("model.loss.df=0.1,0.2,0.3,0.4,0.5"), Variation.parse("trainer.num_epochs=1,2,3,4")]


def searched(plan: Plan, engine: PretendingEngine, trials: int) -> list[Run]:
    """All runs that were trained, or had been trained before."""
    chosen: list[Run] = []

    def execute(runs: list[Run]) -> list[str]:
        chosen.extend(runs)
        schedule = Schedule(runs, engine)
        schedule.execute()
        return [name for name, state in schedule.states.items() if state in (KEPT, FINISHED)]

    search(plan, VARIATIONS, trials, engine.slots, execute)
    return chosen


def the_plan(folder: Path) -> Plan:
    configs = {"nll": plain_config(model={}, trainer={"validation_metric": "+entity_f1"}), "margin": plain_config()}
    paths = [write_config(folder, name, config) for name, config in configs.items()]
    return make_plan(paths, folder / "runs", "2", "", VARIATIONS)


def score(run: Run) -> float:
    """The best is at 0.4 and 3."""
    varied = run.params["model"]
    return (
        0.5
        if not varied
        else 0.9 - abs(varied["loss"]["df"] - 0.4) - 0.1 * abs(run.params["trainer"]["num_epochs"] - 3)
    )


def test_some_variants_are_tried_and_what_is_not_varied_is_trained(tmp_path: Path) -> None:
    plan = the_plan(tmp_path)
    engine = PretendingEngine({run.name: score(run) for run in plan.runs})
    chosen = searched(plan, engine, trials=8)
    assert {run.name for run in chosen} == set(engine.started)
    assert len([run for run in chosen if run.config == "nll"]) == 2
    tried = {run.variant for run in chosen if run.variant}
    assert 3 <= len(tried) <= 8
    assert max(score(run) for run in chosen) > 0.7


def test_a_search_that_was_interrupted_makes_the_same_proposals(tmp_path: Path) -> None:
    plan = the_plan(tmp_path)
    scores = {run.name: score(run) for run in plan.runs}
    whole = [run.name for run in searched(plan, PretendingEngine(scores), trials=6)]
    again = PretendingEngine({})
    assert [run.name for run in searched(plan, again, trials=6)] == whole
    assert again.started == []


def test_a_variant_that_fails_does_not_end_the_search(tmp_path: Path) -> None:
    plan = the_plan(tmp_path)
    scores = {run.name: score(run) for run in plan.runs if "df=0.2" not in run.variant}
    assert len({run.variant for run in searched(plan, PretendingEngine(scores), trials=8) if run.variant}) >= 3


def test_a_variant_that_fails_is_not_tried_again_when_it_is_proposed_again(tmp_path: Path) -> None:
    engine = PretendingEngine({})
    searched(the_plan(tmp_path), engine, trials=40)
    assert len(engine.started) == len(set(engine.started)) > 20


def test_a_score_that_is_not_a_number_does_not_end_the_search(tmp_path: Path) -> None:
    plan = the_plan(tmp_path)
    scores = {run.name: math.nan if "df=0.2" in run.variant else score(run) for run in plan.runs}
    assert len({run.variant for run in searched(plan, PretendingEngine(scores), trials=8) if run.variant}) >= 3
