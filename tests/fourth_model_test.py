"""A fourth model with its own head is one class in one file, and every command works with it."""

import json

import httpx
import torch
from allennlp.data import Vocabulary
from allennlp.models import Model
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder

from ner_zoo.labels.tags import TagLabels
from ner_zoo.losses import Loss
from ner_zoo.models.ner_model import NerModel, label_names
from ner_zoo.service.limits import Limits
from ner_zoo.service.served_model import ServedModel
from ner_zoo.service.service import Service
from ner_zoo.structures import Independent
from tests.commands.predict_test import parsed
from tests.experiments.examples import demo_config, write_config
from tests.service.live_server import running


@Model.register("directions")
class Directions(NerModel):
    """Each tag is a direction; its score is ten times the cosine between it and the vector of the token."""

    def __init__(self, vocab: Vocabulary, embedder: TextFieldEmbedder, encoder: Seq2SeqEncoder, loss: Loss) -> None:
        super().__init__(vocab, TagLabels.of(label_names(vocab, "labels", "tags")), embedder, encoder)
        self.directions = torch.nn.Parameter(torch.randn(len(self.labels.names), encoder.get_output_dim()))
        self.loss = loss

    def forward(self, text, labels=None, metadata=None):
        vectors, mask = self.encode(text)
        scores = 10 * torch.cosine_similarity(vectors.unsqueeze(2), self.directions, dim=3)
        return self.outcome(self.tempered(Independent(scores, mask, self.labels.background)), labels, metadata)


def run(*words):
    (arguments := parsed([str(word) for word in words])).func(arguments)


def test_a_new_model_is_trained_compared_predicted_annotated_served_and_analysed(tmp_path):
    config = demo_config(tmp_path)
    config["trainer"]["num_epochs"] = 8
    config["model"] = {"type": "directions", **{key: config["model"][key] for key in ("embedder", "encoder", "loss")}}
    runs, train, text = (tmp_path / name for name in ("runs", "train.jsonl", "text.jsonl"))
    run("compare", write_config(tmp_path, "new", config), "--seeds", "1,", "-s", runs, "--test", train)
    figures = json.loads((runs / "compare.json").read_text())["configs"][0]["figures"]["test"]
    archive, given = runs / "new/seed_1/model.tar.gz", {"text": "Edda Abernathy sings."}
    text.write_text(json.dumps(given))
    run("predict", archive, text, "--output-file", tmp_path / "a.jsonl", "--predictor-args", '{"top_k": 2}')
    run("annotate", archive, text, "-o", tmp_path / "b.jsonl", "--workers", 0, "--top-k", 2)
    with running(Service({"new": ServedModel.load("new", str(archive), -1, {})}, Limits())) as address:
        served = httpx.post(f"{address}/predict", json={**given, "top_k": 2}, timeout=30).json()
    assert json.loads((tmp_path / "a.jsonl").read_text()) == json.loads((tmp_path / "b.jsonl").read_text()) == served
    assert len(served["taggings"]) == 2 and served["taggings"][0]["entities"] == served["entities"]
    run("analyze", archive, train, "-o", tmp_path / "report")
    analysed = json.loads((tmp_path / "report" / "metrics.json").read_text())["entities"]
    assert analysed["f1"] > 0.5 and abs(analysed["f1"] - figures["entity_f1"]["scores"][0]) < 1e-5
