"""`allennlp analyze` through its own parser, in this process."""

import json
import shutil
from argparse import Namespace
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.models import Model
from allennlp.models.archival import archive_model

from ner_zoo.analysis.numbers import to_numbers
from ner_zoo.commands.analyze import archives_and_file, make_analysis
from ner_zoo.platform.archives import archive_config
from ner_zoo.predictors.loading import open_predictor
from tests.commands.predict_test import parsed
from tests.trained_models import joint_archive, tagger_archive

__all__ = ["joint_archive", "tagger_archive"]
DEV, TEST = "fixtures/demo/dev.jsonl", "fixtures/demo/test.jsonl"
WRITTEN = {"report.html", "metrics.json", "errors.jsonl", "noise.jsonl"}
TEXT = {"text": "Edda Abernathy left Port Amber, and Cobalt Corp hired her."}


def run(*command: Any) -> None:
    arguments = parsed(["analyze", *map(str, command)])
    arguments.func(arguments)


def metrics_in(folder: Path) -> Any:
    return json.loads((folder / "metrics.json").read_text())


def test_a_report_is_written_and_a_calibrated_model_next_to_it(tagger_archive, tmp_path, capsys) -> None:
    report = tmp_path / "report"
    run(tagger_archive, TEST, "-o", report, "--calibrate", DEV)
    assert {file.name for file in report.iterdir()} >= {*WRITTEN, "calibrated.tar.gz"}
    assert "Report:" in capsys.readouterr().out
    metrics = metrics_in(report)
    assert metrics["entities"]["f1"] > 0.5 and metrics["relations"] is None
    assert metrics["errors"]["by"]["form"]["seen"]["gold"]["correct"] > 0
    assert metrics["loss_curve"]["epochs"] == [0, 1, 2, 3, 4]
    temperature = metrics["tempered"]["temperature"]
    before, after = (open_predictor(str(path)) for path in (tagger_archive, report / "calibrated.tar.gz"))
    assert after._model.temperature == pytest.approx(temperature, abs=1e-5)
    plain, tempered = (predictor.predict_json(TEXT)["entities"] for predictor in (before, after))
    assert [one["fragments"] for one in plain] == [one["fragments"] for one in tempered]
    assert [one["score"] for one in plain] != [one["score"] for one in tempered]
    assert before._model.temperature == 1.0


def numbers(*command: Any) -> Any:
    """Like `run`, without the report."""
    return to_numbers(make_analysis(parsed(["analyze", *map(str, command)])))


def test_two_models_are_compared(tagger_archive, joint_archive, tmp_path) -> None:
    metrics = numbers(joint_archive, tagger_archive, TEST, "-o", tmp_path, "--train", DEV)
    assert metrics["kind"] == "joint_relation" and metrics["rival"]["kind"] == "tagger"
    assert metrics["relations"]["gold"] > 0 and metrics["rival"]["relations"] is None
    (test,) = metrics["rival"]["significance"]
    assert test["difference"] == pytest.approx(metrics["entities"]["f1"] - metrics["rival"]["entities"]["f1"], abs=1e-5)


def gone_on(archive: Path, folder: Path) -> Path:
    """The archive of a model that continues from another archive, with one more word."""
    config = {**archive_config(archive), "model": {"type": "from_archive", "archive_file": str(archive)}}
    vocab = Vocabulary(tokens_to_add={"words": ["Abernathy", "unheard-of"]})
    model = Model.from_params(Params(deepcopy(config["model"])), vocab=vocab)
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config))
    torch.save(model.state_dict(), folder / "best.th")
    vocab.save_to_files(str(folder / "vocabulary"))
    archive_model(folder)
    return folder / "model.tar.gz"


def test_a_model_that_continued_from_another_archive_is_calibrated_and_needs_it_no_more(
    tagger_archive,
    tmp_path,
) -> None:
    first = Path(shutil.copy(tagger_archive, tmp_path / "first.tar.gz"))
    archive = gone_on(first, tmp_path / "again")
    plain = open_predictor(str(archive)).predict_json(TEXT)["entities"]
    metrics = numbers(archive, TEST, "-o", tmp_path / "report", "--calibrate", DEV, "--train", DEV)
    assert metrics["kind"] == "tagger" and metrics["tempered"]["changed_sentences"] == 0
    first.unlink()
    calibrated = open_predictor(metrics["tempered"]["archive"])
    assert calibrated._model.temperature == pytest.approx(metrics["tempered"]["temperature"], abs=1e-5)
    assert calibrated._model.vocab.get_token_index("unheard-of", "words") > 1
    assert [one["fragments"] for one in calibrated.predict_json(TEXT)["entities"]] == [
        one["fragments"] for one in plain
    ]
    calibrated._model.temperature = 1.0
    assert [one["score"] for one in calibrated.predict_json(TEXT)["entities"]] == [one["score"] for one in plain]


def test_a_file_without_entities_has_an_analysis(tagger_archive, tmp_path) -> None:
    (tmp_path / "bare.jsonl").write_text('{"tokens": ["Nobody", "came"], "entities": []}\n')
    metrics = numbers(tagger_archive, tmp_path / "bare.jsonl", "-o", tmp_path, "--reader", "span_json")
    assert metrics["entities"]["gold"] == 0 and metrics["calibration"]["ece"] is None
    assert metrics["findings"] == ["The file has no entities, so there is nothing to report."]


def test_paths_are_one_archive_or_two_and_a_file(tagger_archive) -> None:
    archive = str(tagger_archive)
    assert archives_and_file([archive, TEST]) == ([archive], TEST)
    assert archives_and_file(["a", "b", "c"]) == (["a", "b"], "c")
    for paths, message in (
        ([archive], "Pass one or two model archives"),
        ([archive] * 4, "Got 4 paths"),
        ([archive, archive], "Pass the annotated file after"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            archives_and_file(paths)


def test_missing_files_are_reported_before_anything_is_written(tagger_archive, tmp_path) -> None:
    arguments = parsed(["analyze", str(tagger_archive), TEST, "-o", str(tmp_path / "report")])
    (tmp_path / "empty.jsonl").write_text("")
    gone, empty = str(tmp_path / "gone.jsonl"), str(tmp_path / "empty.jsonl")
    for change, message in (
        ({"archive_and_file": [str(tagger_archive), gone]}, "no corpus file at .*gone.jsonl"),
        ({"archive_and_file": [str(tagger_archive), empty]}, "contains no sentences"),
        ({"archive_and_file": [gone + ".tar.gz", TEST]}, "no archive .*gone.jsonl.tar.gz"),
        ({"calibrate": gone}, "no corpus file at .*gone.jsonl"),
        ({"train": gone}, "no corpus file at .*gone.jsonl"),
        ({"output": empty}, "empty.jsonl is a file"),
        ({"reader_params": '{"encoding": "latin-1"}'}, "Pass both or neither"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            arguments.func(Namespace(**{**vars(arguments), **change}))
    assert not (tmp_path / "report").exists()
