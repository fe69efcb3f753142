import io
from pathlib import Path

from ner_zoo.experiments.plan import make_plan
from ner_zoo.experiments.progress import LineProgress, TableProgress, Watcher, remaining_seconds
from ner_zoo.experiments.schedule import RUNNING, Schedule
from tests.experiments.examples import PretendingEngine, plain_config, write_config


def the_schedule(folder: Path) -> Schedule:
    """Three configs, of which the second fails and the third needs it."""
    configs = {"good": plain_config(), "bad": plain_config(), "tuned": plain_config(model={"weights": "{run:bad}"})}
    plan = make_plan([write_config(folder, name, config) for name, config in configs.items()], folder / "runs", "1")
    return Schedule(plan.runs, PretendingEngine({"good/seed 5": 0.5}))


def test_without_a_terminal_there_is_a_line_for_each_event(tmp_path: Path) -> None:
    stream = io.StringIO()
    schedule = the_schedule(tmp_path)
    schedule.watch = LineProgress(stream)
    schedule.execute()
    text = stream.getvalue()
    assert "good/seed 5 starts" in text and "is finished in 0:00: entity_f1 50.00" in text
    assert "bad/seed 5 FAILED; see" in text and "    Error: It does not work." in text
    assert "tuned/seed 5 is skipped because it needs bad/seed 5" in text
    again = io.StringIO()
    LineProgress(again)(Schedule(schedule.runs, schedule.engine))
    assert "good/seed 5 is already finished: entity_f1 50.00" in again.getvalue()


def test_the_table_has_a_row_for_each_run(tmp_path: Path) -> None:
    from rich.console import Console

    schedule = the_schedule(tmp_path)
    schedule.watch = table = TableProgress()
    try:
        schedule.execute()
        console = Console(record=True, width=100, file=io.StringIO())
        console.print(table.render(schedule))
    finally:
        table.close()
    rows = [line.split("│")[1:6] for line in console.export_text().splitlines() if line.startswith("│")]
    cells = [[cell.strip() for cell in row] for row in rows]
    assert [row[:2] for row in cells] == [
        ["good/seed 5", "finished"],
        ["bad/seed 5", "failed"],
        ["tuned/seed 5", "not run"],
    ]
    assert cells[0][2:4] == ["2/4", "entity_f1 50.00"]


def test_the_remaining_time_follows_from_finished_runs(tmp_path: Path) -> None:
    schedule = the_schedule(tmp_path)
    watcher = Watcher()
    watcher.look(schedule)
    assert remaining_seconds(schedule, watcher.statuses) is None
    schedule.execute()
    schedule.states["bad/seed 5"] = RUNNING
    # The finished run took a minute plus a second; the other still has to run, two at a time.
    assert remaining_seconds(schedule, watcher.statuses) == 61 / 2
