"""Probabilities of any entity, and of none, by enumeration of all labellings."""

import itertools
from collections import Counter

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from ner_zoo.annotation import Entity
from ner_zoo.data.tag_schemes import entities_from_tags
from ner_zoo.labels.pairs import PairLabels
from ner_zoo.labels.spans import SpanLabels
from ner_zoo.labels.tags import TagLabels
from ner_zoo.structures import UNKNOWN, Independent, LinearChain, Structure
from ner_zoo.structures.joint import JointLabels
from ner_zoo.structures.labelled_spans import LabelledSpans
from tests.structures.enumeration import random_mask
from tests.structures.joint_test import TABLE, joint_log_probability, random_joint

LENGTHS = (3, 1, 4)
BIO = TagLabels.of(["O", "B-X", "I-X", "B-Y", "I-Y"], "BIO")


def chain(kind: str) -> Structure:
    torch.manual_seed(3)
    scores = 2 * torch.randn(len(LENGTHS), max(LENGTHS), 5, dtype=torch.float64)
    mask = random_mask(LENGTHS, max(LENGTHS))
    if kind == "softmax":
        return Independent(scores, mask, 0)
    transitions = torch.randn(5, 5, dtype=torch.float64)
    return LinearChain(scores, transitions, mask, constraints=BIO.constraints(), background=0)


def labellings(structure: Structure, sentence: int) -> dict[tuple[int, ...], float]:
    """The probability of each, by an operation that other tests compare with enumeration."""
    length = LENGTHS[sentence]
    found = {}
    for labels in itertools.product(range(5), repeat=length):
        allowed = torch.ones(len(LENGTHS), max(LENGTHS), 5, dtype=torch.bool)
        allowed[sentence, :length] = torch.nn.functional.one_hot(torch.tensor(labels), 5).bool()
        log = structure.restrict(allowed).log_partition() - structure.log_partition()
        found[labels] = float(log[sentence].exp())
    return found


@pytest.mark.parametrize("kind", ["crf", "softmax"])
def test_likely_entities_are_all_that_have_the_probability(kind):
    structure = chain(kind)
    for sentence in range(2):
        expected: Counter = Counter()
        for labels, probability in labellings(structure, sentence).items():
            for entity in entities_from_tags([BIO.names[label] for label in labels]):
                expected[entity] += probability
        for least in (0.01, 0.2):
            found = dict(BIO.likely(structure, least)[sentence])
            wanted = {entity: value for entity, value in expected.items() if value >= least}
            assert found.keys() == wanted.keys() and found == pytest.approx(wanted)


@pytest.mark.parametrize("kind", ["crf", "softmax"])
def test_nothing_is_that_no_token_of_the_span_is_in_an_entity(kind):
    structure = chain(kind)
    spans = [[((0, 2),), ((1, 2),), ((0, 1), (2, 3))], [], [((0, 4),)]]
    found = BIO.nothing(structure, spans)
    assert found[1] == {} and len(found[2]) == 1
    for span in spans[0]:
        inside = [place for start, end in span for place in range(start, end)]
        every = labellings(structure, 0).items()
        expected = sum(p for labels, p in every if all(labels[place] == 0 for place in inside))
        assert found[0][span] == pytest.approx(expected)


def test_spans_are_likely_by_themselves_and_nothing_is_the_label_o():
    labels = SpanLabels(("O", "X", "Y", "X + Y"))
    spans = torch.tensor([[[[0, 1]], [[0, 2]], [[1, 2]]]])
    scores = torch.tensor([[[0.0, 3.0, 0.0, 1.0], [4.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]])
    structure = LabelledSpans(scores, torch.tensor([[True, True, False]]), torch.tensor([2]), spans, background=0)
    p = scores[0].softmax(1)
    found = dict(labels.likely(structure, 0.1)[0])
    assert found.keys() == {Entity.of("X", 0, 1), Entity.of("Y", 0, 1)}
    assert found[Entity.of("X", 0, 1)] == pytest.approx(float(p[0, 1] + p[0, 3]))
    nothing = labels.nothing(structure, [[((0, 1),), ((0, 2),), ((5, 6),)]])[0]
    assert nothing == pytest.approx({((0, 1),): float(p[0, 0]), ((0, 2),): float(p[1, 0])})


@pytest.mark.parametrize("unknown", [False, True])
def test_the_probability_of_an_annotation_sums_over_what_is_unknown(unknown):
    structure = chain("crf")
    gold = structure.best()
    if unknown:
        gold[0, 1] = UNKNOWN
    agreeing = sum(
        probability
        for labels, probability in labellings(structure, 0).items()
        if all(known in (UNKNOWN, label) for known, label in zip(gold[0].tolist(), labels))
    )
    assert float(structure.log_annotation(gold)[0].exp()) == pytest.approx(agreeing)


def test_the_probability_of_a_joint_annotation_is_that_of_tags_times_pairs():
    joint = random_joint()
    labels = PairLabels(TABLE, ["NONE", "likes-->", "likes<--"])
    tags, relations = joint.best()
    chosen = relations.sample()
    batch = len(tags)
    spans = torch.full((batch, 5, 2), -1)
    table = torch.zeros(batch, 5, 5, dtype=torch.long)
    starts = [int((relations.chunks.sentence < row).sum()) for row in range(batch)]
    for number, (row, first, last) in enumerate(zip(*(column.tolist() for column in relations.chunks[:3]))):
        spans[row, number - starts[row]] = torch.tensor([first, last])
    for first, second, label in zip(relations.pairs.first.tolist(), relations.pairs.second.tolist(), chosen.tolist()):
        row = int(relations.chunks.sentence[first])
        table[row, first - starts[row], second - starts[row]] = label
    gold = JointLabels(tags, spans, table)
    assert_close(joint.log_annotation(gold), joint_log_probability(joint, tags.unsqueeze(0), relations, chosen)[0])
    pairs = [probabilities for row in labels.pair_probabilities(joint, gold) for probabilities in row.values()]
    assert_close(torch.from_numpy(np.array(pairs)), relations.probabilities())
