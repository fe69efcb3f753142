import json

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.models import Model, load_archive
from torch.testing import assert_close

TRAIN = "fixtures/demo/train.jsonl"


def config(head="crf", **trainer):
    return {
        "dataset_reader": {"type": "span_json", "view": "tags", "max_instances": 40},
        "train_data_path": TRAIN,
        "validation_data_path": "fixtures/demo/dev.jsonl",
        "model": {
            "type": "tagger",
            "embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 12}}},
            "encoder": {"type": "padded_lstm", "input_size": 12, "hidden_size": 10},
            "head": {"type": head},
            "loss": "nll",
            "dropout": 0.1,
        },
        "data_loader": {"batch_size": 8, "shuffle": True},
        "trainer": {
            "num_epochs": 1,
            "optimizer": {"type": "adam", "lr": 0.01},
            "validation_metric": "+entity_f1",
            **trainer,
        },
    }


@pytest.fixture(scope="module", params=["crf", "softmax"])
def parts(request):
    """An untrained model, its reader and some instances."""
    params = Params(config(request.param))
    reader = DatasetReader.from_params(params["dataset_reader"].duplicate())
    instances = list(reader.read(TRAIN))
    vocab = Vocabulary.from_instances(instances)
    torch.manual_seed(1)
    return Model.from_params(vocab=vocab, params=params["model"]), reader, instances


def tensors(model, instances):
    batch = Batch(instances)
    batch.index_instances(model.vocab)
    return batch.as_tensor_dict()


def entities(output):
    return [entity for entity, _ in output["prediction"].entities]


def scores(output):
    return torch.tensor([score for _, score in output["prediction"].entities])


def test_every_parameter_gets_a_gradient(parts):
    model, _, instances = parts
    model.train().zero_grad()
    model(**tensors(model, instances[:8]))["loss"].backward()
    without = [name for name, p in model.named_parameters() if p.grad is None or not p.grad.abs().sum() > 0]
    # A start or end score gets a gradient only if some sentence can start or end with its tag, which all batches have.
    assert without == []


def test_a_batch_gives_what_its_sentences_give_alone(parts):
    model, _, instances = parts
    model.eval()
    together = model.forward_on_instances(instances[:6])
    alone = [model.forward_on_instance(instance) for instance in instances[:6]]
    assert [entities(o) for o in together] == [entities(o) for o in alone]
    for one, other in zip(together, alone):
        assert_close(scores(one), scores(other), atol=1e-5, rtol=1e-4)


def test_training_decodes_and_counts_nothing(parts):
    model, _, instances = parts
    model.train()
    model.get_metrics(reset=True)
    assert set(model(**tensors(model, instances[:4]))) == {"loss"}
    assert model.get_metrics(reset=True) == {}
    model.eval()
    model(**tensors(model, instances[:4]))
    assert "entity_f1" in model.get_metrics(reset=True)


def test_scores_are_probabilities(parts):
    model, _, instances = parts
    model.eval()
    found = torch.cat([scores(output) for output in model.forward_on_instances(instances)])
    assert len(found) and ((found >= 0) & (found <= 1 + 1e-6)).all()


def test_an_archive_predicts_what_the_model_did(tmp_path):
    model = train_model(Params(config()), str(tmp_path), force=True)
    model.eval()
    loaded = load_archive(str(tmp_path / "model.tar.gz"))
    reader = loaded.validation_dataset_reader
    instances = list(reader.read("fixtures/demo/dev.jsonl"))[:10]
    before = [o["prediction"] for o in model.forward_on_instances(instances)]
    loaded.model.eval()
    after = [o["prediction"] for o in loaded.model.forward_on_instances(instances)]
    assert before == after
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    assert "validation_entity_f1/PER" in metrics and "training_entity_f1" not in metrics


def test_a_vocabulary_without_tags_is_refused(parts):
    with pytest.raises(ConfigurationError, match="labels.*view"):
        Model.from_params(vocab=Vocabulary(), params=Params(config()["model"]))
