"""A folder for the Hub, read back by huggingface_hub itself."""

import json
import tarfile
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from huggingface_hub import ModelCard
from huggingface_hub.repocard_data import eval_results_to_model_index, model_index_to_eval_results

from ner_zoo import load
from ner_zoo.training.hub_folder import CardDetails, card_data, write_hub_folder
from tests.trained_models import tagger_archive

__all__ = ["tagger_archive"]
TEXT = "Edda Abernathy of Meridian Systems lives in Port Ellery."


def test_the_hub_reads_the_card_and_the_folder_opens_as_the_archive(tagger_archive: Path, tmp_path: Path) -> None:
    folder = tmp_path / "names"
    details = CardDetails(dataset="made-up/names", language=("en",), licence="CC BY 4.0")
    assert write_hub_folder(str(tagger_archive), str(folder), details) == []
    assert {path.name for path in folder.iterdir()} >= {"README.md", "config.json", "weights.th", "vocabulary"}
    assert load(str(folder))(TEXT).to_dict() == load(str(tagger_archive))(TEXT).to_dict()
    card = ModelCard.load(folder / "README.md")
    data = card.data
    assert (data.pipeline_tag, data.library_name, data.license) == ("token-classification", "allennlp", "cc-by-4.0")
    assert (data.language, data.datasets, data.model_name) == (["en"], ["made-up/names"], "names")
    assert "## Scores on the validation data" in card.text and 'load("hf://USER/names")' in card.text
    metrics = json.loads((tagger_archive.parent / "metrics.json").read_text())
    measured = {one.metric_name: one.metric_value for one in data.eval_results}
    assert measured["Entity F1"] == pytest.approx(metrics["best_validation_entity_f1"], abs=5e-5)
    assert measured.keys() == {"Entity F1", "Entity precision", "Entity recall"}
    index = eval_results_to_model_index(data.model_name, data.eval_results)
    assert index == data.to_dict()["model-index"]
    assert model_index_to_eval_results(index) == ("names", data.eval_results)
    assert {one.dataset_split for one in data.eval_results} == {"validation"}


def test_the_scores_travel_in_the_archive(tagger_archive: Path, tmp_path: Path) -> None:
    with tarfile.open(tagger_archive) as archive:
        assert "metrics.json" in archive.getnames()
    alone = tmp_path / "elsewhere.tar.gz"
    alone.write_bytes(tagger_archive.read_bytes())
    assert write_hub_folder(str(alone), str(tmp_path / "names"), CardDetails()) == ["license", "language", "datasets"]


def test_a_runs_folder_is_taken_and_a_full_folder_is_not_written_to(tagger_archive: Path, tmp_path: Path) -> None:
    folder = tmp_path / "names"
    write_hub_folder(str(tagger_archive.parent), str(folder), CardDetails(name="other"))
    assert ModelCard.load(folder / "README.md").data.model_name == "other"
    assert load(str(folder)).labels == ("LOC", "ORG", "PER", "PROD")
    with pytest.raises(ConfigurationError, match="not an empty folder"):
        write_hub_folder(str(tagger_archive), str(folder), CardDetails())


@pytest.mark.parametrize(
    ("licence", "written"),
    [
        ("MIT", {"license": "mit"}),
        ("CC BY-SA 4.0", {"license": "cc-by-sa-4.0"}),
        ("LDC user agreement", {"license": "other", "license_name": "ldc-user-agreement"}),
        ("", {}),
    ],
)
def test_licences_are_written_as_the_hub_does(licence: str, written: dict[str, str]) -> None:
    card = {"type": "model_card", "licence": licence}
    config = {"dataset_reader": {"type": "conll04"}, "model": {"type": "tagger"}, "trainer": {"callbacks": [card]}}
    data = card_data(config, {"test_relation_f1": 0.5}, CardDetails(), "m").to_dict()
    assert {key: value for key, value in data.items() if key.startswith("license")} == written
    assert data["language"] == ["en"] and data["datasets"] == ["conll04"]
    (metric,) = data["model-index"][0]["results"][0]["metrics"]
    assert metric == {"type": "f1", "value": 0.5, "name": "Relation F1"}
