import json

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.models import load_archive
from allennlp.predictors import Predictor
from torch.testing import assert_close

from ner_zoo.data.vector_store import VARIABLE
from ner_zoo.experiments.evaluation import evaluate
from ner_zoo.modules.frozen_encoder import FrozenEncoder
from tests.encoder_experiments import ENCODER, JOINT, LONG, NOTHING, SPAN, TAGGER, experiment

PARTS = f"use.frozen_encoder('{ENCODER}', max_length=32)"


@pytest.fixture
def sentences_read(monkeypatch):
    """The number of sentences that the encoder has processed, batch by batch."""
    counts = []
    original = FrozenEncoder.encoded

    def encoded(self, token_ids, *arguments, **options):
        counts.append(len(token_ids))
        return original(self, token_ids, *arguments, **options)

    monkeypatch.setattr(FrozenEncoder, "encoded", encoded)
    return counts


def trained(folder, parts=PARTS, system=TAGGER, epochs=2):
    return train_model(Params(experiment(parts, system=system, epochs=epochs)), str(folder))


def files(folder):
    return sorted(folder.rglob("*.safetensors"))


@pytest.mark.parametrize("system", [TAGGER, SPAN, JOINT])
def test_each_sentence_is_read_once_whatever_the_model_and_the_epochs(system, tmp_path, sentences_read):
    model = trained(tmp_path / "run", system=system, epochs=3)
    texts = {*sentences_of(tmp_path / "run")}
    assert sum(sentences_read) == len(texts)
    assert len(files(tmp_path / "encoder_vectors")) == 1
    assert model.embedder.token_embedder_encoder.store is None


def sentences_of(run):
    archive = load_archive(run / "model.tar.gz")
    for key in ("train_data_path", "validation_data_path"):
        for instance in archive.dataset_reader.read(archive.config[key]):
            yield tuple(map(str, instance["text"].tokens))


def test_a_second_run_reads_nothing_and_ends_as_the_first(tmp_path, sentences_read):
    first = trained(tmp_path / "first")
    read = sum(sentences_read)
    second = trained(tmp_path / "second")
    assert sum(sentences_read) == read
    assert_close(second.state_dict(), first.state_dict(), rtol=0, atol=0)


def test_an_evaluation_reads_each_sentence_once_for_all_runs(tmp_path, monkeypatch, sentences_read):
    trained(tmp_path / "run")
    file = load_archive(tmp_path / "run" / "model.tar.gz").config["validation_data_path"]
    monkeypatch.setenv(VARIABLE, str(tmp_path / "shared"))
    read, scores = [], []
    for vectors in (None, "shared", "shared"):
        sentences_read.clear()
        evaluate(str(tmp_path / "run"), file, str(tmp_path / "scores.json"), "", vectors)
        read.append(sum(sentences_read))
        scores.append(json.loads((tmp_path / "scores.json").read_text())["metrics"])
    assert read[0] >= read[1] > 0 and read[2] == 0
    assert scores[1] == scores[2] == pytest.approx(scores[0])


def test_a_cache_that_is_cut_off_is_built_again(tmp_path, sentences_read):
    first = trained(tmp_path / "first", epochs=1)
    read = sum(sentences_read)
    (file,) = files(tmp_path)
    file.write_bytes(file.read_bytes()[:1000])
    second = trained(tmp_path / "second", epochs=1)
    assert sum(sentences_read) == 2 * read
    assert_close(second.state_dict(), first.state_dict(), rtol=0, atol=0)


def test_the_place_can_be_named(tmp_path, monkeypatch):
    monkeypatch.setenv("NER_ZOO_VECTORS", str(tmp_path / "elsewhere"))
    trained(tmp_path / "run", epochs=1)
    assert files(tmp_path / "elsewhere") and not (tmp_path / "encoder_vectors").exists()


def test_training_learns_the_mix_and_the_archive_predicts_by_the_encoder(tmp_path, sentences_read):
    model = trained(tmp_path / "run")
    embedder = model.embedder.token_embedder_encoder
    assert embedder.mix.any() and embedder.gamma != 1
    predictor = Predictor.from_archive(load_archive(tmp_path / "run" / "model.tar.gz"))
    before = sum(sentences_read)
    output = predictor.predict_json({"tokens": ["The", *NOTHING, "city", *LONG]})
    assert sum(sentences_read) == before + 1 and len(output["tokens"]) == 4 + len(LONG)


def test_adversarial_training_changes_the_vectors(tmp_path):
    plain = trained(tmp_path / "plain")
    adversarial = trained(tmp_path / "changed", f"{PARTS} + use.adversarial_training(epsilon=0.5)")
    weights = [model.state_dict() for model in (plain, adversarial)]
    assert all(weight.isfinite().all() for weight in weights[1].values() if weight.is_floating_point())
    different = {name for name in weights[0] if not torch.equal(weights[0][name], weights[1][name])}
    assert any("encoder._module" in name or name.startswith("head") for name in different)
    assert not any("transformer_model" in name for name in different)
