"""Whole runs of `suggest` with a trained model: the selection, restarts, SIGKILL, several files, and Ray."""

import io
import json
import multiprocessing
import random
from pathlib import Path
from typing import Any

import pytest
from allennlp.common.checks import ConfigurationError
from pytest import approx

from ner_zoo.api import load
from ner_zoo.bulk.local_engine import LocalEngine
from ner_zoo.bulk.progress import Progress
from ner_zoo.bulk.ray_engine import RayEngine
from ner_zoo.predictors.line import read_line
from ner_zoo.workbench.scoring_worker import ScoringWorker
from ner_zoo.workbench.selection import SelectionOptions
from ner_zoo.workbench.suggest import SuggestTask, suggest
from tests.bulk.run_test import killed_while_it_works
from tests.commands.predict_test import parsed
from tests.light.random_models import random_export
from tests.trained_models import demo_texts

# Each text twice, differing in case and digits, and unusable rows.
TEXTS = demo_texts()[:40]
ROWS = [
    *(json.dumps({"id": number, "text": text}) for number, text in enumerate(TEXTS)),
    "",
    "{broken",
    '{"text": 5}',
    *(text.upper() for text in TEXTS[:10]),
]


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    """Two files."""
    for name, rows in (("a.jsonl", ROWS[:25]), ("b.jsonl", ROWS[25:])):
        (tmp_path / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    return [str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]


def task(archive: Path, inputs: list[str], folder: Path, name: str = "next.jsonl", **options: Any) -> SuggestTask:
    selection = options.pop("selection", SelectionOptions(8, random_share=0.25))
    return SuggestTask(str(archive), inputs, str(folder / name), selection, rows_per_part=4, **options)


def run(one: SuggestTask, overwrite: bool = False) -> list[dict[str, Any]]:
    engine = LocalEngine(one.worker_settings(), 0, one.make_worker())
    suggest(one, engine, Progress(stream=io.StringIO()), overwrite)
    return [json.loads(line) for line in Path(one.output).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("by", ["entropy", "least_confidence", "margin", "f1_gain"])
def test_the_rows_that_the_model_is_least_sure_of_are_suggested_with_its_annotation(
    tagger_archive, inputs, tmp_path, by
) -> None:
    rows = run(task(tagger_archive, inputs, tmp_path, by=by))
    assert [row["suggestion_rank"] for row in rows] == list(range(1, 9))
    assert [row["suggested_by"] for row in rows] == [by] * 6 + ["random"] * 2
    assert len({row["text"].lower() for row in rows}) == 8
    model = load(str(tagger_archive))
    for row in rows:
        known = model(row["text"]).to_dict()["entities"]
        assert [entity["text"] for entity in row["entities"]] == [entity["text"] for entity in known]
        number = row["file_line"] - 1 + (25 if row["file"] == "b.jsonl" else 0)
        assert row["text"] in ROWS[number]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("a.jsonl", "b.jsonl", "next.jsonl", "next.jsonl.run.json")
    ]


def test_without_balance_and_chance_the_scores_are_the_highest_of_all(tagger_archive, inputs, tmp_path) -> None:
    best = run(task(tagger_archive, inputs, tmp_path, selection=SelectionOptions(5, 0.0, 0.0)))
    every = run(task(tagger_archive, inputs, tmp_path, "all.jsonl", selection=SelectionOptions(100, 0.0, 0.0)))
    scores = [row["suggestion_score"] for row in every]
    assert scores == sorted(scores, reverse=True) and 20 <= len(every) <= 50
    assert [row["suggestion_score"] for row in best] == scores[:5]
    per_token = run(
        task(tagger_archive, inputs, tmp_path, "short.jsonl", selection=SelectionOptions(5, 0.0, 0.0), per_token=True)
    )
    by_text = {row["text"]: row["suggestion_score"] / len(row["tokens"]) for row in every}
    assert per_token[0]["suggestion_score"] == approx(max(by_text.values()), abs=1e-5)


def test_a_joint_model_suggests_by_entities_and_relations(joint_archive, inputs, tmp_path) -> None:
    for by in ("entropy", "least_confidence"):
        rows = run(task(joint_archive, inputs, tmp_path, f"{by}.jsonl", by=by))
        assert len(rows) == 8 and all("relations" in row for row in rows)


def test_a_file_for_an_annotation_tool_has_the_reason_and_the_pre_annotation(tagger_archive, inputs, tmp_path) -> None:
    one = task(tagger_archive, inputs, tmp_path, "tasks.json", tool="label_studio")
    engine, said = LocalEngine(one.worker_settings(), 0, one.make_worker()), io.StringIO()
    assert suggest(one, engine, Progress(stream=said)) == 8
    first = f"The first is {inputs[1]}:17: The line looks like JSON"
    assert f"2 rows cannot be used and are left out. {first}" in said.getvalue()
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    assert len(tasks) == 8 and tasks[0]["data"]["suggested_by"] == "least_confidence"
    assert any(result for item in tasks for result in item["predictions"][0]["result"])


def test_an_interrupted_run_continues_and_another_does_not_continue_it(tagger_archive, inputs, tmp_path) -> None:
    one = task(tagger_archive, inputs, tmp_path)
    expected = run(task(tagger_archive, inputs, tmp_path, "whole.jsonl"))

    class Interrupted(LocalEngine):
        def run(self, chunks):
            for number, annotated in enumerate(super().run(chunks)):
                if number == 5:
                    raise KeyboardInterrupt
                yield annotated

    with pytest.raises(KeyboardInterrupt):
        suggest(one, Interrupted(one.worker_settings(), 0, one.make_worker()), Progress(stream=io.StringIO()))
    with pytest.raises(ConfigurationError, match="differs in: measure"):
        run(task(tagger_archive, inputs, tmp_path, by="margin"))
    progress = Progress(stream=io.StringIO())
    suggest(one, LocalEngine(one.worker_settings(), 0, one.make_worker()), progress)
    assert progress.rows == len(ROWS) - 20 and progress.errors == 2
    assert [json.loads(line) for line in Path(one.output).read_text().splitlines()] == expected


def test_a_run_killed_at_a_random_moment_gives_the_same_suggestions(tagger_archive, tmp_path) -> None:
    rows, draw = 1500, random.Random(3)
    texts = demo_texts()
    source = tmp_path / "in.txt"
    source.write_text("".join(f"{texts[n % len(texts)]} Number {chr(65 + n % 26)}{n}.\n" for n in range(rows)))
    words = ["suggest", str(tagger_archive), str(source), "-n", "20", "--workers", "0", "--rows-per-part", "10"]
    output = tmp_path / "next.jsonl"
    arguments = parsed([*words, "-o", str(output)])
    process = multiprocessing.get_context("fork").Process(target=arguments.func, args=(arguments,))
    process.start()
    kept = killed_while_it_works(process, tmp_path / "next.jsonl.parts", draw)
    assert 2 <= kept < rows / 10 and not output.exists()
    arguments.func(arguments)
    whole = parsed([*words, "-o", str(tmp_path / "whole.jsonl")])
    whole.func(whole)
    assert output.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


@pytest.mark.parametrize("content", ["\n\n{broken\n", "\n \n", ""])
def test_files_without_a_usable_row_are_refused_and_leave_nothing_behind(tagger_archive, tmp_path, content) -> None:
    (tmp_path / "empty.txt").write_text(content)
    with pytest.raises(ConfigurationError, match="no readable row"):
        run(task(tagger_archive, [str(tmp_path / "empty.txt")], tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["empty.txt"]


def test_one_unusable_row_is_one_row(tagger_archive, tmp_path) -> None:
    (tmp_path / "a.jsonl").write_text(f"{TEXTS[0]}\n{{broken\n")
    one, said = task(tagger_archive, [str(tmp_path / "a.jsonl")], tmp_path), io.StringIO()
    assert suggest(one, LocalEngine(one.worker_settings(), 0, one.make_worker()), Progress(stream=said)) == 1
    assert f"1 row cannot be used and is left out: {tmp_path / 'a.jsonl'}:2: The line looks" in said.getvalue()


def test_a_row_that_the_model_fails_on_does_not_affect_the_others(tagger_archive, tmp_path, monkeypatch) -> None:
    score = ScoringWorker.score

    def failing_on_seven(worker, documents):
        if any("seven" in document.text for document in documents):
            raise RuntimeError("seven is too much")
        return score(worker, documents)

    monkeypatch.setattr(ScoringWorker, "score", failing_on_seven)
    rows = [read_line(row.encode(), place) for place, row in enumerate((TEXTS[0], "seven", TEXTS[1]), 1)]
    settings = task(tagger_archive, ["-"], tmp_path).worker_settings()
    first, failed, last = ScoringWorker(settings, "entropy").records(rows)
    assert "numbers" in first and "numbers" in last and failed == {"error": "RuntimeError: seven is too much"}


def test_an_export_is_refused_and_leaves_nothing_behind(inputs, tmp_path) -> None:
    random_export("tagger").write(str(tmp_path / "model.ner"))
    before = sorted(tmp_path.iterdir())
    with pytest.raises(ConfigurationError, match="model.ner is an exported model"):
        run(task(tmp_path / "model.ner", inputs, tmp_path))
    assert sorted(tmp_path.iterdir()) == before


def test_ray_suggests_what_this_process_does(tagger_archive, inputs, tmp_path) -> None:
    one = task(tagger_archive, inputs, tmp_path)
    suggest(one, RayEngine(one.worker_settings(), 1, None, one.make_worker()), Progress(stream=io.StringIO()))
    rows = [json.loads(line) for line in Path(one.output).read_text().splitlines()]
    here = run(task(tagger_archive, inputs, tmp_path, "here.jsonl"))
    assert [(row["file"], row["file_line"]) for row in rows] == [(row["file"], row["file_line"]) for row in here]
