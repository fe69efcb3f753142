"""
A model that is five times overconfident gets a temperature of five.

The gold labels are sampled from the model itself, so its probabilities are exactly right until all of its scores are
multiplied by five.
"""

from dataclasses import replace

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch

from ner_zoo.analysis.calibration import entity_calibration
from ner_zoo.analysis.temperature import fit_temperature, log_likelihood, maximum
from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.span_arrays import fragments_of
from ner_zoo.data.span_labels import split_label
from ner_zoo.structures import UNKNOWN
from tests.analysis.models import evaluated, instances, scale
from tests.labels.decoding import entities_of, relations_from_pairs

# Scales random weights to give informative scores; the transitions of a chain do not need it.
SURE = {"tagger": 1.0, "span": 6.0, "joint": 1.0}
TOO_SURE = 5.0


def drawn(one, sentences):
    """The sentences with an annotation sampled from the model."""
    torch.manual_seed(2)
    structure = one.forward.structure(sentences)
    if one.labels.has_relations:
        tags = structure.entities.sample(1)
        relations = structure.given(tags)
        return [
            drawn_relations(one, *row) for row in zip(sentences, *by_row(one, tags[0], relations, relations.sample()))
        ]
    labels = structure.sample(1)[0]
    if one.kind == "tagger":
        found = entities_of(one.labels, labels, structure.mask)
        return [replace(sentence, entities=tuple(some)) for sentence, some in zip(sentences, found)]
    return [replace(sentence, entities=span_entities(one, sentence, row)) for sentence, row in zip(sentences, labels)]


def span_entities(one, sentence, labels):
    spans = one.reader.view.candidates.spans(sentence)
    names = [one.labels.names[label] for label in labels[: len(spans)].tolist()]
    return tuple(
        Entity(type, fragments_of(span)) for span, name in zip(spans.tolist(), names) for type in split_label(name)
    )


def by_row(one, tags, relations, labels):
    """For each sentence its entities, and the labels of their pairs."""
    entities = [[] for _ in tags]
    for row, start, end, type in zip(*(column.tolist() for column in relations.chunks)):
        entities[row].append(Entity.of(one.labels.types[type], start, end))
    pairs = [{} for _ in tags]
    firsts = torch.tensor([0, *map(len, entities)]).cumsum(0).tolist()
    numbers = zip(relations.row.tolist(), *(side.tolist() for side in relations.pairs), labels.tolist())
    for row, first, second, label in numbers:
        pairs[row][first - firsts[row], second - firsts[row]] = one.labels.pair_names[label]
    return entities, pairs


def drawn_relations(one, sentence, entities, pairs):
    return replace(sentence, entities=tuple(entities), relations=tuple(relations_from_pairs(entities, pairs)))


@pytest.fixture(scope="module", params=["tagger", "span", "joint"])
def too_sure(request):
    """The model, and sentences for which its probabilities are right."""
    one = evaluated(request.param)
    scale(one.model, SURE[request.param])
    plain = [Sentence(sentence.tokens) for sentence in one.sentences("fixtures/demo/test.jsonl")]
    plain += [Sentence(sentence.tokens) for sentence in one.sentences("fixtures/demo/dev.jsonl")]
    # The same number of tokens in each, so that no sample is padded.
    sentences = [replace(sentence, tokens=(sentence.tokens * 8)[:8]) for sentence in plain]
    sentences = drawn(one, sentences)
    scale(one.model, TOO_SURE)
    return one, sentences[::2], sentences[1::2]


def test_the_temperature_corrects_overconfidence(too_sure):
    one, dev, _ = too_sure
    fit = fit_temperature(one.forward, dev)
    assert fit.temperature == pytest.approx(TOO_SURE, rel=0.15)
    assert fit.after > fit.before and one.model.temperature == 1.0
    # A temperature that the model already has makes no difference.
    one.model.temperature = 2.0
    again = fit_temperature(one.forward, dev)
    assert again == fit and one.model.temperature == 2.0
    one.model.temperature = 1.0


def test_a_temperature_fitted_on_one_half_lowers_the_ece_on_the_other(too_sure):
    one, dev, test = too_sure
    before = entity_calibration(one.answers(test).each)
    one.model.temperature = fit_temperature(one.forward, dev).temperature
    after = entity_calibration(one.answers(test).each)
    one.model.temperature = 1.0
    assert before.ece > 0.2
    assert after.ece < before.ece / 2 and after.brier < before.brier


def test_the_decoded_labelling_stays_and_a_temperature_of_1_changes_nothing(too_sure):
    one, _, test = too_sure
    plain = one.answers(test)
    one.model.temperature = 1.0
    again = one.answers(test)
    one.model.temperature = 2.5
    tempered = one.answers(test)
    one.model.temperature = 1.0
    for before, same, after in zip(plain.each, again.each, tempered.each):
        assert before.entities == same.entities and before.relations == same.relations
        assert list(before.entities) == list(after.entities) and list(before.relations) == list(after.relations)
    assert sum(sum(one.entities.values()) for one in tempered.each) < sum(
        sum(one.entities.values()) for one in plain.each
    )


def test_a_temperature_acts_when_a_model_is_used_and_not_when_it_is_trained(too_sure):
    one, dev, _ = too_sure
    batch = Batch(instances(one, dev[:8]))
    batch.index_instances(one.model.vocab)
    tensors = batch.as_tensor_dict()
    for module in one.model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    losses = {}
    for is_training in (True, False):
        one.model.train(is_training)
        for temperature in (1.0, 3.0):
            one.model.temperature = temperature
            losses[is_training, temperature] = one.model(**tensors)["loss"].item()
    one.model.temperature = 1.0
    assert losses[True, 1.0] == losses[True, 3.0]
    assert losses[False, 1.0] > losses[False, 3.0]


def test_unknown_labels_are_summed_over():
    one = evaluated("tagger")
    structure = one.forward.structure([Sentence(("Ann", "came"))])
    unknown = torch.full(structure.mask.shape, UNKNOWN)
    assert log_likelihood(structure, unknown, 3.0) == pytest.approx(0.0, abs=1e-5)
    gold = structure.best()
    partly = gold.clone()
    partly[0, 1] = UNKNOWN
    assert log_likelihood(structure, gold, 1.0) < log_likelihood(structure, partly, 1.0) < 0
    assert log_likelihood(structure, gold, 1.0) == pytest.approx(structure.log_likelihood(gold).item(), abs=1e-5)


def test_the_maximum_of_a_function_is_found():
    assert maximum(lambda temperature: -((temperature - 3.0) ** 2)) == pytest.approx(3.0, rel=0.01)


def test_nothing_to_fit_to_is_refused():
    one = evaluated("tagger")
    with pytest.raises(ConfigurationError, match="no sentences to fit"):
        fit_temperature(one.forward, [])
