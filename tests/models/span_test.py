import json
import math
import random
import re

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.models import Model, load_archive
from allennlp.predictors import Predictor
from torch.testing import assert_close

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.api import load
from ner_zoo.predictors.options import Options

TRAIN, DEV = "fixtures/demo/train.jsonl", "fixtures/demo/dev.jsonl"
WIDTHS = {"type": "contiguous", "max_width": 4}
REPRESENTATIONS = {
    "endpoints": {"representation": {"type": "endpoints", "width_dim": 5, "max_width": 4}},
    "projected": {
        "representation": {"type": "projected_endpoints", "dim": 16, "width_dim": 5, "max_width": 4, "dropout": 0.0},
        "feedforward": {"num_layers": 1, "hidden_dims": 12, "activations": "relu"},
    },
    "biaffine": {"representation": {"type": "separate_endpoints", "dim": 8}, "head": "biaffine"},
    "attention": {"representation": {"type": "span_attention", "hidden_size": 6}},
    "extractor": {
        "representation": {"type": "span_extractor", "extractor": {"type": "self_attentive"}},
    },
}


def config(candidates=None, **model):
    return {
        "dataset_reader": {
            "type": "span_json",
            "view": {"type": "spans", "candidates": candidates or WIDTHS},
            "max_instances": 40,
        },
        "train_data_path": TRAIN,
        "validation_data_path": DEV,
        "model": {
            "type": "span",
            "embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 12}}},
            "encoder": {"type": "lstm", "input_size": 12, "hidden_size": 10, "bidirectional": True},
            "head": "softmax",
            "loss": "nll",
            **(model or REPRESENTATIONS["projected"]),
        },
        "data_loader": {"batch_sampler": {"type": "span_budget", "max_spans": 400, "batch_size": 8}},
        "trainer": {"num_epochs": 1, "optimizer": {"type": "adam", "lr": 0.01}, "validation_metric": "+entity_f1"},
    }


def built(config, instances=None, path=TRAIN):
    params = Params(config)
    reader = DatasetReader.from_params(params["dataset_reader"].duplicate())
    instances = list(reader.read(path)) if instances is None else instances
    vocab = Vocabulary.from_instances(instances)
    torch.manual_seed(1)
    return Model.from_params(vocab=vocab, params=params["model"].duplicate()), instances


def tensors(model, instances):
    batch = Batch(instances)
    batch.index_instances(model.vocab)
    return batch.as_tensor_dict()


@pytest.fixture(scope="module", params=sorted(REPRESENTATIONS))
def parts(request):
    """An untrained model and some instances."""
    return built(config(**REPRESENTATIONS[request.param]))


def gradients(model, instances):
    model.train().zero_grad()
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.eval()
    loss = model(**tensors(model, instances))["loss"]
    loss.backward()
    return loss, {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}


def entities(output):
    return [entity for entity, _ in output["prediction"].entities]


def scores(output):
    return torch.tensor([score for _, score in output["prediction"].entities])


def test_every_parameter_gets_a_gradient(parts):
    model, instances = parts
    _, found = gradients(model, instances[:8])
    without = [name for name, _ in model.named_parameters() if not (name in found and found[name].abs().sum() > 0)]
    assert without == []


def test_chunks_change_neither_loss_nor_gradient_nor_prediction(parts):
    model, instances = parts
    model.max_spans = 10**6
    loss, whole = gradients(model, instances[:6])
    expected = model.eval().forward_on_instances(instances[:6])
    for size in (1, 50, 200):
        model.max_spans = size
        chunked_loss, chunked = gradients(model, instances[:6])
        assert_close(chunked_loss, loss)
        for name, gradient in whole.items():
            assert_close(chunked[name], gradient, atol=1e-5, rtol=1e-4)
        found = model.eval().forward_on_instances(instances[:6])
        assert [entities(o) for o in found] == [entities(o) for o in expected]
    model.max_spans = 10**6


def test_a_batch_gives_what_its_sentences_give_alone(parts):
    model, instances = parts
    model.eval()
    together = model.forward_on_instances(instances[:6])
    alone = [model.forward_on_instance(instance) for instance in instances[:6]]
    assert [entities(o) for o in together] == [entities(o) for o in alone]
    assert any(entities(o) for o in together)
    for one, other in zip(together, alone):
        assert_close(scores(one), scores(other), atol=1e-5, rtol=1e-4)


def test_training_decodes_and_counts_nothing(parts):
    model, instances = parts
    model.train()
    model.get_metrics(reset=True)
    assert set(model(**tensors(model, instances[:4]))) == {"loss"}
    assert model.get_metrics(reset=True) == {}
    model.eval()
    model(**tensors(model, instances[:4]))
    assert "entity_f1" in model.get_metrics(reset=True)


def test_a_sentence_of_thousands_of_tokens_is_scored_within_the_budget():
    model, _instances = built(config())
    sizes = []
    forward = model.representation.forward
    model.representation.forward = lambda tokens, spans: sizes.append(spans.shape[:2].numel()) or forward(tokens, spans)
    model.max_spans = 1000
    reader = DatasetReader.from_params(Params(config()["dataset_reader"]))
    words = tuple(random.Random(0).choices("the committee met Ada in Arlenburg".split(), k=2427))
    long = Sentence(words, (Entity.of("PER", 3, 4),), source="long")
    instance = reader._instance(long, None)
    reader.apply_token_indexers(instance)
    model.train()(**tensors(model, [instance]))["loss"].backward()
    assert sum(sizes) >= 4 * 2400 and max(sizes) <= 1000
    assert "prediction" in model.eval().forward_on_instance(instance)


def saved_for_backward(model, length):
    """The bytes that training on a sentence keeps between forward and backward pass."""
    reader = DatasetReader.from_params(Params(config()["dataset_reader"]))
    instance = reader._instance(Sentence(("the",) * length, source="made up"), None)
    reader.apply_token_indexers(instance)
    batch, sizes = tensors(model, [instance]), {}

    def keep(tensor):
        sizes[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        loss = model.train()(**batch)["loss"]
    assert loss.requires_grad
    return sum(sizes.values())


def test_memory_grows_with_the_length_of_a_sentence_and_no_faster():
    model, _ = built(config())
    short, long, longest = (saved_for_backward(model, length) for length in (50, 500, 2000))
    assert long < 12 * short and longest < 4.4 * long


def test_an_archive_predicts_what_the_model_did_and_says_so_in_json(tmp_path):
    model = train_model(Params(config()), str(tmp_path), force=True)
    loaded = load_archive(str(tmp_path / "model.tar.gz"))
    instances = list(loaded.validation_dataset_reader.read(DEV))[:10]
    before = [o["prediction"] for o in model.eval().forward_on_instances(instances)]
    after = [o["prediction"] for o in loaded.model.eval().forward_on_instances(instances)]
    assert before == after
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    assert "validation_entity_f1/PER" in metrics and "training_entity_f1" not in metrics
    predicted = Predictor.from_archive(loaded).predict_json({"text": "Ada Lovelace lived in London."})
    assert predicted["tokens"][0] == {"text": "Ada", "start": 0, "end": 3}
    annotator = load(str(tmp_path / "model.tar.gz"))
    assert annotator("Ada Lovelace lived in London.").to_dict() == predicted
    with pytest.raises(ConfigurationError, match="has no taggings. Remove top_k"):
        annotator("Ada", top_k=2)


def test_asking_for_taggings_fails_for_that_input_alone():
    reader = DatasetReader.from_params(Params(config()["dataset_reader"]))
    predictor = Predictor.by_name("ner_zoo")(built(config())[0], reader)
    first, second = predictor.predict_all([{"text": "Ada"}] * 2, [Options(top_k=2), Options()])
    assert "has no taggings" in first["error"] and second["text"] == "Ada"


def test_it_learns_entities_inside_entities(tmp_path):
    """A title is an entity, and so is the name in it."""
    draw = random.Random(1)
    sentences = []
    for _ in range(60):
        name = draw.choice(["Orla", "Pim", "Sten", "Ula"])
        tokens = ["the", "ballad", "of", name, "was", "sung", "by", draw.choice(["Orla", "Pim", "Sten", "Ula"])]
        entities = [(0, 4, "WORK"), (3, 4, "PER"), (7, 8, "PER")]
        sentences.append({"tokens": tokens, "entities": [{"start": s, "end": e, "type": t} for s, e, t in entities]})
    metrics = trained_on(sentences, tmp_path, epochs=8)
    assert metrics["best_validation_entity_f1"] == 1.0


def trained_on(sentences, folder, epochs, candidates=None, metric="entity_f1", **model):
    (folder / "data.jsonl").write_text("\n".join(map(json.dumps, sentences)))
    settings = config(candidates, **model)
    settings["dataset_reader"].pop("max_instances")
    settings["train_data_path"] = settings["validation_data_path"] = str(folder / "data.jsonl")
    settings["trainer"].update(num_epochs=epochs, validation_metric=f"+{metric}")
    settings["trainer"]["optimizer"]["lr"] = 0.03
    settings["data_loader"]["batch_sampler"]["batch_size"] = 4
    train_model(Params(settings), str(folder / "run"), force=True)
    return json.loads((folder / "run" / "metrics.json").read_text())


def split_sentences():
    """Sides of the body: "left and right arm" has the arm on the left as an entity with a gap."""
    draw = random.Random(1)
    sentences = []
    for _ in range(48):
        part = draw.choice(["arm", "knee", "eye", "ear"])
        if draw.random() < 0.5:
            tokens = ["pain", "in", "left", "and", "right", part, "since", "May"]
            entities = [{"type": "SITE", "fragments": [[2, 3], [5, 6]]}, {"type": "SITE", "start": 4, "end": 6}]
        else:
            tokens = ["the", "left", part, "and", "right", "are", "fine"]
            entities = [{"type": "SITE", "start": 1, "end": 3}]
        sentences.append({"tokens": tokens, "entities": entities})
    return sentences


@pytest.mark.parametrize(
    "candidates",
    [WIDTHS, {"type": "gaps", "max_width": 3, "max_fragment_width": 1, "max_gap": 3}],
    ids=["links", "gaps"],
)
def test_it_learns_entities_with_gaps(tmp_path, candidates):
    metrics = trained_on(split_sentences(), tmp_path, epochs=10, candidates=candidates)
    assert metrics["best_validation_discontinuous_entity_f1"] == 1.0
    assert metrics["best_validation_entity_f1"] == 1.0


@pytest.mark.parametrize("decoder, are_found", [("nested", False), ({"type": "nested", "minimum": 1e-6}, True)])
def test_parts_that_are_not_best_labels_are_joined_if_the_decoder_takes_them(tmp_path, decoder, are_found):
    (tmp_path / "data.jsonl").write_text("\n".join(map(json.dumps, split_sentences())))
    model, instances = built(config(**REPRESENTATIONS["projected"], decoder=decoder), path=str(tmp_path / "data.jsonl"))
    with torch.no_grad():
        model.head.projection.bias[model.labels.background] += 9.0
        model.links.output.bias[1] += 9.0
    found = model.eval().forward_on_instances(instances[:4])
    assert any(entity.is_discontinuous for one in found for entity in entities(one)) == are_found


def test_typing_of_given_spans_is_reported_by_its_own_name(tmp_path):
    metrics = trained_on(
        split_sentences(), tmp_path, 3, {"type": "gold"}, "typing_accuracy", **REPRESENTATIONS["attention"]
    )
    assert metrics["best_validation_typing_accuracy"] == 1.0
    assert metrics["best_validation_typing_accuracy/discontinuous"] == 1.0
    assert not [name for name in metrics if re.search("f1|precision|recall", name)]


def test_a_batch_without_a_single_span_has_a_loss_that_touches_every_parameter():
    model, instances = built(config({"type": "gold"}, **REPRESENTATIONS["attention"]))
    empty = [instance for instance in instances if not instance["metadata"].metadata.entities]
    loss, found = gradients(model, empty[:2])
    assert loss == 0 and set(found) == {name for name, _ in model.named_parameters()}


def test_scores_are_the_marginals_of_the_label_on_the_span():
    model, instances = built(config())
    output = model.eval()(**tensors(model, instances[:4]))
    probabilities = output["structure"].scores.softmax(2).detach()
    spans = tensors(model, instances[:4])["spans"]
    names = model.labels.names
    for sentence, prediction in enumerate(model.labels.read(output["structure"])):
        for entity, score in prediction.entities:
            place = spans[sentence, :, 0].tolist().index([entity.start, entity.end])
            assert math.isclose(score, probabilities[sentence, place, names.index(entity.type)], rel_tol=1e-5)


@pytest.mark.parametrize(
    "loss",
    ["nrces", "negative_sampling", "weighted_negative_sampling", "partial_likelihood", "positive_unlabelled"],
)
def test_every_loss_for_missing_annotations_trains_it(loss, tmp_path):
    settings = config(**REPRESENTATIONS["projected"])
    settings["model"]["loss"] = loss
    model = train_model(Params(settings), str(tmp_path), force=True)
    assert all(parameter.isfinite().all() for parameter in model.parameters())


def test_a_vocabulary_without_labels_is_refused():
    with pytest.raises(ConfigurationError, match="labels.*view"):
        Model.from_params(vocab=Vocabulary(), params=Params(config()["model"]))


def test_scoring_no_span_at_a_time_is_refused():
    with pytest.raises(ConfigurationError, match="max_spans is 0"):
        built(config(representation="endpoints", max_spans=0))


def test_a_chain_over_spans_is_refused_with_advice():
    with pytest.raises(ConfigurationError, match="softmax"):
        built(config(representation="endpoints", head="crf"))
