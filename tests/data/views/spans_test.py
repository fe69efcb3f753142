import itertools

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Vocabulary
from allennlp.data.fields import MetadataField

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.candidates import Contiguous, Gaps, Gold
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.views import Spans
from ner_zoo.structures import UNKNOWN
from tests.data.decoded_spans import entities_from_spans

TOKENS = tuple("pain in left and right arm".split())
NESTED = (Entity.of("P", 0, 6), Entity.of("Q", 4, 6), Entity.of("P", 4, 6), Entity.of("Q", 0, 2))
SPLIT = (Entity("A", ((2, 3), (5, 6))), Entity.of("A", 4, 6), Entity("A", ((0, 1), (2, 3), (5, 6))))


def tensors(view, *sentences, left_out=None):
    left_out = Repairs() if left_out is None else left_out
    instances = []
    for sentence in sentences:
        fields = {**view.inputs(sentence), **view.labels(sentence, left_out), "metadata": MetadataField(sentence)}
        instances.append(Instance(fields))
    vocab = Vocabulary.from_instances(instances)
    batch = Batch(instances)
    batch.index_instances(vocab)
    names = vocab.get_index_to_token_vocabulary("labels")
    return batch.as_tensor_dict(), names


def decoded(batch, names):
    for spans, labels, links in zip(batch["spans"], batch["labels"], batch["links"]):
        inside = spans[:, 0, 0] >= 0
        pairs = [tuple(pair) for pair in links.tolist() if pair[0] >= 0]
        yield set(entities_from_spans(spans[inside].tolist(), [names[i] for i in labels[inside].tolist()], pairs))


@pytest.mark.parametrize("candidates", [Contiguous(6), Gold(), Gaps(6, 1, 2)], ids=["contiguous", "gold", "gaps"])
@pytest.mark.parametrize("entities", [(), NESTED, SPLIT[:2], NESTED + SPLIT[:2]])
def test_entities_survive_the_way_through_tensors(candidates, entities):
    left_out = Repairs()
    short = Sentence(("x",), (Entity.of("P", 0, 1),))
    batch, names = tensors(Spans(candidates), Sentence(TOKENS, entities), short, left_out=left_out)
    assert list(decoded(batch, names)) == [set(entities), {Entity.of("P", 0, 1)}]
    assert not left_out.counts


def test_entities_of_three_fragments_come_out_where_their_links_name_no_other():
    batch, names = tensors(Spans(Contiguous(6)), Sentence(TOKENS, SPLIT[1:]))
    assert list(decoded(batch, names)) == [set(SPLIT[1:])]


def test_an_entity_whose_type_has_no_name_is_one():
    entities = (Entity.of("", 0, 1), Entity("", ((2, 3), (5, 6))))
    batch, names = tensors(Spans(Contiguous(6)), Sentence(TOKENS, entities))
    assert list(decoded(batch, names)) == [set(entities)]


def test_a_type_that_is_the_name_of_no_entity_is_refused_with_its_place():
    with pytest.raises(ConfigurationError, match="file:3 has an entity of type 'O'"):
        tensors(Spans(), Sentence(TOKENS, (Entity.of("O", 0, 1),), source="file:3"))


def test_an_entity_without_a_candidate_is_counted():
    left_out = Repairs()
    sentence = Sentence(TOKENS, (Entity.of("P", 0, 6), Entity("A", ((0, 4), (5, 6))), Entity.of("Q", 0, 2)))
    batch, names = tensors(Spans(Contiguous(2)), sentence, left_out=left_out)
    assert list(decoded(batch, names)) == [{Entity.of("Q", 0, 2)}]
    assert left_out.counts.total() == 2


def test_spans_that_touch_a_token_without_annotation_are_unknown():
    batch, names = tensors(Spans(Contiguous(6)), Sentence(TOKENS, (Entity.of("Q", 0, 3),), unknown=(1, 4)))
    for (start, end), label in zip(batch["spans"][0, :, 0].tolist(), batch["labels"][0].tolist()):
        expected = UNKNOWN if start <= 1 < end or start <= 4 < end else "O"
        assert (label if label == UNKNOWN else names[label]) == ("Q" if (start, end) == (0, 3) else expected)


def test_unknown_tokens_in_the_gap_leave_a_span_known():
    batch, _names = tensors(Spans(Gaps(1, 1, 1)), Sentence(TOKENS[:3], (), unknown=(1,)))
    spans = batch["spans"][0].tolist()
    assert batch["labels"][0, spans.index([[0, 1], [2, 3]])] != UNKNOWN
    assert batch["labels"][0, spans.index([[1, 2], [-1, -1]])] == UNKNOWN


def test_only_spans_from_the_annotation_are_said_to_be_given():
    given, _ = tensors(Spans(Gold()), Sentence(TOKENS, NESTED))
    found, _ = tensors(Spans(Contiguous()), Sentence(TOKENS, NESTED))
    assert given["spans_are_given"] is True and "spans_are_given" not in found


def test_a_batch_pads_spans_with_what_no_sentence_has():
    batch, _ = tensors(Spans(Contiguous(2)), Sentence(TOKENS), Sentence(("x",)))
    assert batch["spans"].shape == (2, 11, 1, 2)
    assert torch.equal(batch["spans"][1, 1:], torch.full((10, 1, 2), -1))


def test_every_subset_of_overlapping_entities_survives():
    for size in range(len(NESTED) + 1):
        for entities in itertools.combinations(NESTED, size):
            batch, names = tensors(Spans(Contiguous(6)), Sentence(TOKENS, entities))
            assert list(decoded(batch, names)) == [set(entities)]
