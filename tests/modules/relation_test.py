"""The relation head computes the paper's formula for many pairs of many taggings at once."""

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.modules.lstm_minus import left_context, right_context
from ner_zoo.modules.relation import RelationHead
from ner_zoo.structures.chunks import Chunks
from ner_zoo.structures.pairs import Pairs

DIM, TAGS, LABELS = 6, 5, 3


@pytest.fixture
def head():
    torch.manual_seed(0)
    made = RelationHead.by_name("relation")(
        DIM, TAGS, LABELS, hidden_dim=7, filters=4, max_distance=3, dropout=0.0
    ).double()
    for cnn in made.cnns:
        torch.nn.init.normal_(cnn.bias)
    return made


def by_hand(head, vectors, tags, one, other):
    """The scores of one pair of spans in one sentence: concatenated features, one layer over them all."""
    row = tags.unsqueeze(0)

    def segment(cnn, first, last):
        return cnn(vectors, row, torch.tensor([first]), torch.tensor([last]))[0]

    begin, end = torch.tensor([0]), torch.tensor([len(vectors)])
    distance = torch.zeros(head.distance.num_embeddings, dtype=torch.float64)
    distance[min(other[0] - one[1], 3)] = 1.0
    features = [
        segment(head.cnns[0], *one),
        left_context(vectors, torch.tensor([one[0]]), begin)[0],
        segment(head.cnns[1], *other),
        right_context(vectors, torch.tensor([other[1]]), end)[0],
        segment(head.cnns[2], one[1], other[0]),
        distance,
    ]
    layer = torch.cat([head.first.weight, head.second.weight, head.between.weight, head.distance.weight.t()], 1)
    return head.output((layer @ torch.cat(features) + head.first.bias).relu())


def test_scores_of_pairs_of_several_taggings_are_those_of_each_pair_by_itself(head):
    mask = torch.tensor([[True] * 7, [True] * 4 + [False] * 3])
    vectors = torch.randn(2, 7, DIM, dtype=torch.float64)
    tags = torch.randint(TAGS, (2, 2, 7))
    # Rows: sentence 0 and 1 of the first tagging, then of the second.
    spans = [(0, 0, 2), (0, 2, 3), (0, 6, 7), (1, 0, 1), (1, 3, 4), (3, 0, 2), (3, 2, 4)]
    sentence, first, last = torch.tensor(spans).unbind(1)
    pairs = Pairs(torch.tensor([0, 0, 1, 3, 5]), torch.tensor([1, 2, 2, 4, 6]))
    found = head(vectors, mask, tags, Chunks(sentence, first, last, torch.zeros_like(first)), pairs)
    for number, (i, j) in enumerate(zip(*(column.tolist() for column in pairs))):
        row = spans[i][0]
        length = int(mask[row % 2].sum())
        expected = by_hand(
            head, vectors[row % 2, :length], tags[row // 2, row % 2, :length], spans[i][1:], spans[j][1:]
        )
        assert_close(found[number], expected)


def test_scores_do_not_depend_on_what_else_is_in_the_batch(head):
    vectors = torch.randn(1, 4, DIM, dtype=torch.float64)
    mask, tags = torch.ones(1, 4, dtype=torch.bool), torch.randint(TAGS, (1, 1, 4))
    spans = torch.tensor([0, 0]), torch.tensor([0, 2]), torch.tensor([1, 4]), torch.tensor([0, 0])
    pairs = Pairs(torch.tensor([0]), torch.tensor([1]))
    alone = head(vectors, mask, tags, Chunks(*spans), pairs)
    padding = torch.randn(2, 9, DIM, dtype=torch.float64)
    padding[:1, :4] = vectors
    wide = torch.zeros(2, 9, dtype=torch.bool)
    wide[0, :4] = wide[1] = True
    wide[0, 4:] = False
    more = torch.zeros(1, 2, 9, dtype=torch.long)
    more[0, 0, :4] = tags
    assert_close(head(padding, wide, more, Chunks(*spans), pairs), alone)


def test_a_single_pair_of_single_words_touches_every_parameter(head):
    zero = torch.tensor([0])
    vectors, mask = torch.randn(1, 1, DIM, dtype=torch.float64), torch.ones(1, 1, dtype=torch.bool)
    chunk = Chunks(zero, zero, zero + 1, zero)
    head(vectors, mask, torch.zeros(1, 1, 1, dtype=torch.long), chunk, Pairs(zero, zero)).sum().backward()
    assert all(parameter.grad is not None for parameter in head.parameters())
