import pytest
import torch
from allennlp.data import Batch, Instance, Vocabulary

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.tag_schemes import SCHEMES
from ner_zoo.data.views import Tags
from ner_zoo.labels.tags import TagLabels
from ner_zoo.structures import UNKNOWN
from tests.labels.decoding import entities_of

SENTENCE = Sentence(
    tuple("abcdefgh"), (Entity.of("X", 0, 1), Entity.of("X", 1, 4), Entity.of("Y-Z", 6, 8)), source="made up:1"
)


def tensor(view, sentence, vocab=None):
    left_out = Repairs()
    instance = Instance(view.labels(sentence, left_out))
    vocab = vocab or Vocabulary.from_instances([instance])
    batch = Batch([instance])
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["labels"], vocab, left_out


@pytest.mark.parametrize("scheme", [scheme for scheme in SCHEMES if scheme != "IO"])
def test_entities_come_back_from_the_tensor(scheme):
    labels, vocab, left_out = tensor(Tags(scheme), SENTENCE)
    names = vocab.get_index_to_token_vocabulary("labels")
    table = TagLabels.of([names[i] for i in range(len(names))], scheme)
    assert entities_of(table, labels, torch.ones_like(labels, dtype=torch.bool)) == [list(SENTENCE.entities)]
    assert not left_out.counts


def test_of_overlapping_entities_the_widest_is_tagged_and_the_others_are_counted():
    inner, outer = Entity.of("X", 1, 2), Entity.of("Y", 0, 3)
    split = Entity("X", ((4, 5), (6, 7)))
    labels, vocab, left_out = tensor(Tags("BIO"), Sentence(tuple("abcdefgh"), (inner, outer, split), source="f:7"))
    names = [vocab.get_token_from_index(i, "labels") for i in labels[0].tolist()]
    assert names == ["B-Y", "I-Y", "I-Y", "O", "O", "O", "O", "O"]
    assert sum(left_out.counts.values()) == 2
    assert left_out.where["discontinuous entity not in the tags"] == ["f:7"]


def test_io_counts_the_neighbour_it_cannot_separate():
    _, _, left_out = tensor(Tags("IO"), SENTENCE)
    assert left_out.counts == {"neighbour of the same type not in the IO tags": 1}


def test_tokens_without_annotation_are_unknown():
    sentence = Sentence(tuple("abcd"), (Entity.of("X", 1, 2),), unknown=(0, 1))
    labels, vocab, _ = tensor(Tags("BIO"), sentence)
    outside = vocab.get_token_index("O", "labels")
    assert labels[0].tolist() == [UNKNOWN, vocab.get_token_index("B-X", "labels"), outside, outside]


def test_a_type_that_training_never_saw_is_unknown_and_not_an_error():
    _, vocab, _ = tensor(Tags("BIO"), SENTENCE)
    labels, _, _ = tensor(Tags("BIO"), Sentence(tuple("ab"), (Entity.of("NEW", 0, 1),)), vocab)
    assert labels[0].tolist() == [UNKNOWN, vocab.get_token_index("O", "labels")]
