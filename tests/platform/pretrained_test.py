"""The model that ships with ner_zoo, wherever a model is expected."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from allennlp.commands.evaluate import evaluate_from_archive
from allennlp.common.checks import ConfigurationError

from ner_zoo import load
from ner_zoo.platform.pretrained import ENDING, FOLDER, model_path, pretrained_names
from results.pretrained import LARGEST
from tests.real_corpora import DATA, needs_corpora

COMMAND = str(Path(sys.executable).with_name("allennlp"))


def test_a_model_is_loaded_by_its_name_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NER_ZOO_DATA", raising=False)
    model = load("wnut17")
    assert model.labels == ("corporation", "creative-work", "group", "location", "person", "product")
    found = model("Grace Hopper was born in New York City.").entities
    assert [(entity.type, entity.text) for entity in found][:1] == [("person", "Grace Hopper")]


def test_the_command_predicts_by_name(tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("Grace Hopper was born in New York City.\n")
    environment = {name: value for name, value in os.environ.items() if name != "NER_ZOO_DATA"}
    command = [COMMAND, "predict", "wnut17", "texts.txt"]
    finished = subprocess.run(command, cwd=tmp_path, env=environment, text=True, capture_output=True)
    assert finished.returncode == 0 and finished.stderr == ""
    assert json.loads(finished.stdout)["entities"][0]["text"] == "Grace Hopper"


def test_a_file_takes_precedence_over_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert model_path("wnut17") == str(FOLDER / f"wnut17{ENDING}")
    (tmp_path / "wnut17").mkdir()
    assert model_path("wnut17") == "wnut17"


def test_an_unknown_name_is_reported_with_the_available_ones() -> None:
    with pytest.raises(ConfigurationError, match="ships with ner_zoo: wnut17"):
        load("wnut71")


def test_the_model_is_small_and_its_card_says_how_it_was_made_and_whose_data_it_has() -> None:
    assert pretrained_names() == ["wnut17"]
    assert (FOLDER / f"wnut17{ENDING}").stat().st_size <= LARGEST
    card = (FOLDER / "wnut17.md").read_text(encoding="utf-8")
    scores = json.loads((FOLDER / "wnut17.json").read_text())["scores"]
    for fact in ("CC BY 4.0", "Derczynski", "make pretrained", "13370", f"{scores['test']['entity_f1']:.2f}"):
        assert fact in card


@needs_corpora
def test_the_score_is_that_in_the_card(tmp_path: Path) -> None:
    expected = json.loads((FOLDER / "wnut17.json").read_text())["scores"]["dev"]
    metrics = evaluate_from_archive(model_path("wnut17"), str(DATA / "wnut17/emerging.dev.conll"))
    assert {name: round(100 * metrics[name], 2) for name in expected} == expected
