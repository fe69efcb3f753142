"""The joint model on artificial sentences: it learns, predicts with offsets and scores, and handles every odd batch."""

import copy

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.models import Model
from allennlp.predictors import Predictor
from torch.testing import assert_close

from ner_zoo.annotation import Entity, Relation, Sentence

ANN, ROME = Entity.of("PER", 0, 1), Entity.of("LOC", 3, 5)
RELATED = Sentence(("Ann", "lives", "in", "New", "Rome", "."), (ANN, ROME), (Relation("lives_in", ANN, ROME),))
BACKWARD = Sentence(
    ("Arno", "bore", "Bea", "."),
    (Entity.of("LOC", 0, 1), Entity.of("PER", 2, 3)),
    (Relation("born_in", Entity.of("PER", 2, 3), Entity.of("LOC", 0, 1)),),
)
ALONE = Sentence(("Ann", "sleeps", "."), (ANN,))
EMPTY = Sentence(("It", "rains", "."))
ONE_TOKEN = Sentence(("Rome",), (Entity.of("LOC", 0, 1),))
EVERY = [RELATED, BACKWARD, ALONE, EMPTY, ONE_TOKEN]

READER = {"type": "conll04", "token_indexers": {"tokens": {"type": "single_id"}}}
MODEL = {
    "type": "joint_relation",
    "embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 12}}},
    "encoder": {"type": "lstm", "input_size": 12, "hidden_size": 8, "bidirectional": True},
    "head": "softmax",
    "loss": "nll",
    "relation_head": {"hidden_dim": 10, "filters": 4, "dropout": 0.1},
}


@pytest.fixture(scope="module")
def reader():
    return DatasetReader.from_params(Params(copy.deepcopy(READER)))


def instances(reader, sentences):
    made = [reader._instance(sentence, _Nothing()) for sentence in sentences]
    for instance in made:
        reader.apply_token_indexers(instance)
    return made


class _Nothing:
    def add(self, kind, source, times=1):
        raise AssertionError(f"{kind} in {source}")


def batch_of(reader, vocab, sentences):
    batch = Batch(instances(reader, sentences))
    batch.index_instances(vocab)
    return batch.as_tensor_dict()


def make(reader, head="softmax", **settings):
    torch.manual_seed(0)
    vocab = Vocabulary.from_instances(instances(reader, EVERY))
    params = {**copy.deepcopy(MODEL), "head": head, **settings}
    return Model.from_params(vocab=vocab, params=Params(params))


def trained(reader, head="softmax", steps=120):
    model = make(reader, head)
    batch = batch_of(reader, model.vocab, EVERY)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(steps):
        optimizer.zero_grad()
        model(**batch)["loss"].backward()
        optimizer.step()
    return model.eval()


@pytest.mark.parametrize("head", ["softmax", "crf"])
def test_it_learns_entities_and_directed_relations(head, reader):
    model = trained(reader, head)
    model(**batch_of(reader, model.vocab, EVERY))
    metrics = model.get_metrics(reset=True)
    assert metrics["entity_f1"] == metrics["relation_f1"] == metrics["relation_boundaries_f1"] == 1.0
    assert metrics["relation_f1/born_in"] == 1.0


@pytest.mark.parametrize("sentences", [[EMPTY], [ALONE], [ONE_TOKEN], [EMPTY, ALONE], EVERY])
def test_every_parameter_has_a_gradient_whatever_is_in_the_batch(sentences, reader):
    model = make(reader, "crf")
    model(**batch_of(reader, model.vocab, sentences))["loss"].backward()
    assert [name for name, parameter in model.named_parameters() if parameter.grad is None] == []


def test_a_sentence_has_the_same_output_alone_and_among_others(reader):
    model = make(reader).eval()
    together = model.make_output_human_readable(model(**batch_of(reader, model.vocab, EVERY)))["prediction"]
    for sentence, expected in zip(EVERY, together):
        (alone,) = model.make_output_human_readable(model(**batch_of(reader, model.vocab, [sentence])))["prediction"]
        for ours, theirs in ((alone.entities, expected.entities), (alone.relations, expected.relations)):
            assert [one for one, _ in ours] == [one for one, _ in theirs]
            assert_close([score for _, score in ours], [score for _, score in theirs], rtol=1e-4, atol=1e-5)


def test_the_score_of_a_relation_is_its_probability_times_the_marginals_of_its_entities(reader):
    model = trained(reader)
    joint = model(**batch_of(reader, model.vocab, [RELATED]))["structure"]
    (found,) = model.labels.read(joint)
    scores = [score for _, score in found.entities]
    probability = float(joint.best()[1].probabilities().detach().max())
    assert_close([score for _, score in found.relations], [probability * scores[0] * scores[1]])
    tags = joint.entities.marginals()[0].detach()
    number = model.vocab.get_token_to_index_vocabulary("labels")
    assert_close(scores[1], float(tags[3, number["B-LOC"]] * tags[4, number["L-LOC"]]), rtol=0.05, atol=0.05)


def test_raw_text_becomes_entities_and_relations_with_offsets(reader):
    predictor = Predictor.by_name("ner_zoo")(trained(reader), reader)
    text = "It rains.  Ann lives in New Rome."
    found = predictor.predict_json({"text": text})
    names = [text[entity["start"] : entity["end"]] for entity in found["entities"]]
    assert names == ["Ann", "New Rome"]
    relation = found["relations"][0]
    assert (relation["type"], relation["head"], relation["tail"]) == ("lives_in", 0, 1)
    assert 0 < relation["score"] <= min(entity["score"] for entity in found["entities"])


def test_the_best_taggings_are_given_on_request(reader):
    predictor = Predictor.by_name("ner_zoo")(trained(reader), reader, top_k=3)
    found = predictor.predict_json({"tokens": list(RELATED.tokens)})
    assert len(found["relations"]) == 1


def test_gold_relations_that_the_tags_cannot_hold_are_missed_not_forgotten(reader):
    model = trained(reader)
    inner = Entity.of("LOC", 4, 5)
    more = Sentence(RELATED.tokens, (*RELATED.entities, inner), (*RELATED.relations, Relation("lives_in", ANN, inner)))
    batch = batch_of(reader, model.vocab, [RELATED])
    batch["metadata"] = [more]
    model(**batch)
    assert model.get_metrics(reset=True)["relation_recall"] == 0.5


def test_any_loss_on_tags_fits(reader):
    model = make(reader, "crf", loss="hinge", relation_loss="hinge")
    loss = model(**batch_of(reader, model.vocab, EVERY))["loss"]
    loss.backward()
    assert loss.isfinite()


def test_the_risk_can_be_the_loss_of_the_entities(reader):
    model = make(
        reader, "crf", loss={"type": "weighted_sum", "losses": ["nll", {"type": "minimum_risk", "alpha": 1.0}]}
    )
    loss = model(**batch_of(reader, model.vocab, EVERY))["loss"]
    loss.backward()
    assert loss.isfinite()


def test_a_vocabulary_without_pairs_is_refused(reader):
    with pytest.raises(ConfigurationError, match="the reader has the view `joint`"):
        Model.from_params(vocab=Vocabulary(), params=Params(copy.deepcopy(MODEL)))
