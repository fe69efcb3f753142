"""`allennlp export`, and what runs its file: `serve --light`, `annotate --light` and spaCy."""

import json
from pathlib import Path

import httpx
import pytest
import spacy
from allennlp.common.checks import ConfigurationError

from ner_zoo.light.export_file import read_export
from ner_zoo.predictors.loading import load_predictor
from ner_zoo.service.limits import Limits
from ner_zoo.service.served_model import ServedModel
from ner_zoo.service.service import Service
from tests.commands.predict_test import parsed
from tests.light.random_models import is_close
from tests.service.live_server import running
from tests.trained_models import ROOT, demo_texts, tagger_archive

__all__ = ["tagger_archive"]
DEV = str(ROOT / "fixtures" / "demo" / "dev.jsonl")


def run(*command: str) -> None:
    arguments = parsed(list(command))
    arguments.func(arguments)


@pytest.fixture(scope="module")
def export(tagger_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "model.ner"
    run("export", str(tagger_archive), "-o", str(path))
    return path


def test_f1_is_printed_before_and_after(tagger_archive: Path, tmp_path: Path, capsys) -> None:
    path = tmp_path / "small.ner"
    run("export", str(tagger_archive), "-o", str(path), "--int8", "--evaluate-on", DEV, "--max-loss", "5")
    shown = capsys.readouterr().out
    assert f"entity F1 on {DEV}: " in shown and " before, " in shown and "MB" in shown
    assert read_export(str(path)).settings["precision"] == "int8"


def test_an_export_that_loses_too_much_is_refused(tagger_archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "model.ner"
    with pytest.raises(ConfigurationError, match="more than --max-loss -1"):
        run("export", str(tagger_archive), "-o", str(path), "--evaluate-on", DEV, "--max-loss", "-1")
    assert not path.exists() and list(tmp_path.iterdir()) == []


def test_the_card_of_the_archive_goes_with_it(tagger_archive: Path, export: Path) -> None:
    assert read_export(str(export)).card.startswith("#")


def test_annotate_writes_the_same_with_an_export(tagger_archive: Path, export: Path, tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_text("".join(f"{text}\n" for text in demo_texts()[:20]))
    run("annotate", str(export), str(source), "-o", str(tmp_path / "light.jsonl"), "--workers", "1")
    run("annotate", str(tagger_archive), str(source), "-o", str(tmp_path / "torch.jsonl"), "--workers", "0")
    rows = [(tmp_path / f"{name}.jsonl").read_text().splitlines() for name in ("light", "torch")]
    assert len(rows[0]) == 20 and all(is_close(json.loads(one), json.loads(other)) for one, other in zip(*rows))


def test_predict_detects_an_export(tagger_archive: Path, export: Path, tmp_path: Path, capsys) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps({"text": text, "id": 3}) + "\n" for text in demo_texts()[:5]))
    run("predict", str(export), str(source), "--output-file", str(tmp_path / "copy.jsonl"))
    shown = capsys.readouterr().out
    assert shown == (tmp_path / "copy.jsonl").read_text()
    expected = load_predictor(str(tagger_archive)).predict_all([{"text": text} for text in demo_texts()[:5]])
    found = [json.loads(line) for line in shown.splitlines()]
    assert is_close(found, [{**one, "id": 3} for one in json.loads(json.dumps(expected))])
    with pytest.raises(ConfigurationError, match="--use-dataset-reader is only supported for archives"):
        run("predict", str(export), str(source), "--use-dataset-reader")


def test_predict_takes_light_as_annotate_and_serve_do(
    tagger_archive: Path, export: Path, tmp_path: Path, capsys
) -> None:
    (tmp_path / "in.txt").write_text(f"{demo_texts()[0]}\n")
    run("predict", "--light", str(export), str(tmp_path / "in.txt"))
    assert json.loads(capsys.readouterr().out)["text"] == demo_texts()[0]
    with pytest.raises(ConfigurationError, match="is the archive of a trained model. Export it first"):
        run("predict", "--light", str(tagger_archive), str(tmp_path / "in.txt"))


def test_an_export_is_served(tagger_archive: Path, export: Path) -> None:
    service = Service({"default": ServedModel.load_export("default", str(export), {})}, Limits())
    text = demo_texts()[0]
    with running(service) as address:
        answer = httpx.post(f"{address}/predict", json={"text": text, "top_k": 2}).json()
    predictor = load_predictor(str(tagger_archive), predictor_args={"top_k": 2})
    assert is_close(answer, json.loads(json.dumps(predictor.predict_json({"text": text}))))


def test_spacy_runs_an_export_and_keeps_it_with_the_pipeline(export: Path, tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("ner_zoo", config={"archive": str(export)})
    found = [(ent.text, ent.label_) for ent in nlp(demo_texts()[0]).ents]
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    assert found and [(ent.text, ent.label_) for ent in again(demo_texts()[0]).ents] == found


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-o", "ARCHIVE"], "is also an input"),
        (["-o", "FOLDER"], "is a folder. Pass the name of a file"),
        (["-o", "new.ner", "--max-loss", "5"], "--max-loss requires --evaluate-on"),
    ],
)
def test_invalid_requests_are_refused_before_anything_is_written(
    tagger_archive: Path, tmp_path: Path, arguments: list[str], problem: str
) -> None:
    archive = tmp_path / "model.tar.gz"
    archive.write_bytes(tagger_archive.read_bytes())
    places = {"ARCHIVE": str(archive), "FOLDER": str(tmp_path)}
    with pytest.raises(ConfigurationError, match=problem):
        run("export", str(archive), *(places.get(word, word) for word in arguments))
    assert archive.read_bytes() == tagger_archive.read_bytes()
