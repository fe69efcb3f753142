"""AllenNLP works as before for users who do not use our parts."""

import csv
import gzip
import json
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
import torch
from allennlp import commands
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.util import JsonDict
from allennlp.nn.initializers import PretrainedModelInitializer
from allennlp.predictors import Predictor, TextClassifierPredictor

SENTENCES = [("a fine film", "good"), ("a dull film", "bad"), ("fine fine", "good"), ("so dull", "bad")]
CLASSIFIER: dict[str, Any] = {
    "dataset_reader": {"type": "text_classification_json", "tokenizer": "just_spaces"},
    "model": {
        "type": "basic_classifier",
        "text_field_embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 4}}},
        "seq2vec_encoder": {"type": "bag_of_embeddings", "embedding_dim": 4},
    },
    "data_loader": {"batch_size": 2},
    "trainer": {"optimizer": "adam", "num_epochs": 1},
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stock") / "corpus.jsonl"
    path.write_text("".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in SENTENCES))
    return path


def config(corpus: Path, **changes: Any) -> Params:
    return Params(json.loads(json.dumps({**CLASSIFIER, "train_data_path": str(corpus), **changes})))


@pytest.fixture(scope="module")
def archive(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("run") / "run"
    train_model(config(corpus), str(folder))
    return str(folder / "model.tar.gz")


@Predictor.register("tab_separated_classifier")
class TabSeparated(TextClassifierPredictor):
    def load_line(self, line: str) -> JsonDict:
        return {"sentence": next(csv.reader([line], delimiter="\t"))[0]}

    def dump_line(self, outputs: JsonDict) -> str:
        return f"{outputs['label']}\n"


def predict(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *arguments: Any) -> list[str]:
    monkeypatch.setattr("allennlp.commands.import_plugins", lambda: None)
    output = tmp_path / "output.txt"
    words = ["allennlp", "predict", *map(str, arguments), "--output-file", str(output), "--silent"]
    monkeypatch.setattr(sys, "argv", words)
    commands.main()
    return output.read_text().splitlines()


def test_the_trainer_that_does_nothing_is_built_and_run(corpus: Path, tmp_path: Path) -> None:
    train_model(config(corpus, trainer={"type": "no_op"}), str(tmp_path / "run"))
    assert (tmp_path / "run" / "model.tar.gz").exists()


def test_an_archive_of_weights_alone_initializes_a_model(tmp_path: Path) -> None:
    torch.save({"layer.weight": torch.full((2,), 3.0)}, tmp_path / "weights.th")
    with tarfile.open(tmp_path / "weights.tar.gz", "w:gz") as tar:
        tar.add(tmp_path / "weights.th", arcname="weights.th")
    weight = torch.zeros(2)
    PretrainedModelInitializer(str(tmp_path / "weights.tar.gz"))(weight, parameter_name="layer.weight")
    assert weight.tolist() == [3.0, 3.0]


def test_a_stock_predictor_leaves_blank_lines_out_and_reads_gzip(
    archive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "".join(json.dumps({"sentence": text}) + "\n\n" for text, _ in SENTENCES)
    (tmp_path / "input.jsonl").write_text(lines)
    (tmp_path / "input.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    plain = predict(monkeypatch, tmp_path, archive, tmp_path / "input.jsonl")
    assert [set(json.loads(line)) >= {"label", "probs"} for line in plain] == [True] * len(SENTENCES)
    assert predict(monkeypatch, tmp_path, archive, tmp_path / "input.jsonl.gz", "--batch-size", 2) == plain


def test_a_predictor_of_the_user_reads_and_writes_lines_its_own_way(
    archive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "input.tsv").write_text("".join(f"{text}\t{label}\n" for text, label in SENTENCES))
    found = predict(monkeypatch, tmp_path, archive, tmp_path / "input.tsv", "--predictor", "tab_separated_classifier")
    assert len(found) == len(SENTENCES) and set(found) <= {"good", "bad"}


def test_a_stock_predictor_reads_what_the_dataset_reader_reads(
    archive: str, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = predict(monkeypatch, tmp_path, archive, corpus, "--use-dataset-reader")
    assert [set(json.loads(line)) >= {"label", "loss"} for line in found] == [True] * len(SENTENCES)
