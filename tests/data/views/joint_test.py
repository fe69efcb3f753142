from allennlp.data import Batch, Instance, Vocabulary

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.views import Joint
from tests.labels.decoding import relations_from_pairs

A, B, C = Entity.of("PER", 0, 2), Entity.of("ORG", 3, 4), Entity.of("LOC", 5, 6)


def test_direction_and_arguments_survive_the_way_through_tensors():
    relations = (Relation("works_for", A, B), Relation("near", C, A))
    sentence = Sentence(tuple("abcdef"), (C, A, B), relations)
    left_out = Repairs()
    instance = Instance(Joint().labels(sentence, left_out))
    vocab = Vocabulary.from_instances([instance])
    batch = Batch([instance])
    batch.index_instances(vocab)
    tensors = batch.as_tensor_dict()
    assert tensors["entity_spans"][0].tolist() == [[0, 2], [3, 4], [5, 6]]
    grid = tensors["relation_labels"][0]
    pairs = {
        (i, j): vocab.get_token_from_index(grid[i, j].item(), "relation_labels")
        for i in range(3)
        for j in range(i + 1, 3)
    }
    assert set(relations_from_pairs([A, B, C], pairs)) == set(relations)
    assert not left_out.counts


def test_what_a_pair_cannot_hold_is_counted():
    nested = Entity.of("PER", 0, 1)
    relations = (Relation("r", A, B), Relation("s", B, A), Relation("r", A, A), Relation("r", nested, B))
    left_out = Repairs()
    Joint().labels(Sentence(tuple("abcdef"), (A, B, nested), relations), left_out)
    assert left_out.counts == {
        "entity that overlaps a wider one not in the tags": 1,
        "second relation of one pair": 1,
        "relation of an entity with itself": 1,
        "relation of an entity that is not in the tags": 1,
    }
