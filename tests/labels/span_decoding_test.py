import itertools
import random

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Sentence
from ner_zoo.data.candidates import Contiguous
from ner_zoo.labels.mentions import Mention
from ner_zoo.labels.span_decoding import Argmax, Exact, Greedy, Nested, SpanDecoder
from ner_zoo.labels.spans import SpanLabels
from ner_zoo.structures.labelled_spans import LabelledSpans

LABELS = SpanLabels(("O", "A", "B", "A + B"))


def candidates(length, width):
    return torch.from_numpy(Contiguous(width).spans(Sentence(("x",) * length)))


def random_sentences(length=4, width=3, batch=3, labels=3, seed=0):
    torch.manual_seed(seed)
    spans = candidates(length, width).unsqueeze(0).repeat(batch, 1, 1, 1)
    scores = torch.randn(batch, spans.shape[1], labels, dtype=torch.float64)
    return structure_of(scores, spans)


def structure_of(scores, spans):
    lengths = spans[..., 1].flatten(1).amax(1)
    return LabelledSpans(scores, torch.ones(scores.shape[:2], dtype=torch.bool), lengths, spans, 0)


def overlap(one, other):
    return one[0] < other[1] and other[0] < one[1]


def best_by_enumeration(scores, spans):
    """The labelling with the highest score without overlaps between spans that are not O."""
    best, found = float("-inf"), None
    hulls = [tuple(span[0]) for span in spans.tolist()]
    for labels in itertools.product(range(scores.shape[1]), repeat=len(hulls)):
        chosen = [hull for hull, label in zip(hulls, labels) if label]
        if any(overlap(one, other) for one, other in itertools.combinations(chosen, 2)):
            continue
        total = sum(scores[place, label].item() for place, label in enumerate(labels))
        if total > best:
            best, found = total, {(place, label) for place, label in enumerate(labels) if label}
    return found


@pytest.mark.parametrize("seed", range(4))
def test_exact_decoding_is_the_best_of_all_labellings_without_overlap(seed):
    structure = random_sentences(seed=seed, batch=2)
    labels = SpanLabels(("O", "A", "B"))
    for sentence, mentions in enumerate(Exact()(structure, labels)):
        expected = best_by_enumeration(structure.scores[sentence], structure.spans[sentence])
        assert {(m.place, labels.names.index(labels.marked_types[m.type])) for m in mentions} == expected


def test_exact_decoding_beats_greedy_where_one_wide_span_is_worth_less_than_two():
    spans = torch.tensor([[[[0, 2]], [[1, 3]], [[2, 4]]]])
    scores = torch.tensor([[[0.0, 2.0], [0.0, 2.5], [0.0, 2.0]]])
    structure = structure_of(scores, spans)
    labels = SpanLabels(("O", "A"))
    assert [m.place for m in Greedy()(structure, labels)[0]] == [1]
    assert [m.place for m in Exact()(structure, labels)[0]] == [0, 2]


def test_argmax_takes_every_span_whose_best_label_is_not_o():
    structure = random_sentences(labels=4)
    for sentence, mentions in enumerate(Argmax()(structure, LABELS)):
        best = structure.scores[sentence].argmax(1).tolist()
        types = {0: (), 1: (0,), 2: (1,), 3: (0, 1)}
        expected = [(place, type) for place, label in enumerate(best) for type in types[label]]
        assert [(m.place, m.type) for m in mentions] == expected


def test_a_score_is_the_probability_of_the_type_in_all_labels_that_hold_it():
    structure = random_sentences(labels=4)
    probability = structure.scores.softmax(2)
    for sentence, mentions in enumerate(Argmax()(structure, LABELS)):
        for mention in mentions:
            expected = probability[sentence, mention.place, 1 + mention.type] + probability[sentence, mention.place, 3]
            assert mention.score == pytest.approx(expected.item())


@pytest.mark.parametrize("decoder", [Greedy(), Exact()])
def test_flat_mentions_do_not_overlap_nor_share_a_span(decoder):
    structure = random_sentences(length=8, labels=4)
    for mentions in decoder(structure, LABELS):
        hulls = [(m.start, m.end) for m in mentions]
        assert mentions and not any(overlap(one, other) for one, other in itertools.combinations(hulls, 2))


def crosses(one, other):
    return overlap(one, other) and not (
        (one[0] <= other[0] and other[1] <= one[1]) or (other[0] <= one[0] and one[1] <= other[1])
    )


def test_nested_mentions_do_not_cross_and_leave_out_only_what_crosses_a_better_one():
    structure = random_sentences(length=8, width=5, labels=4)
    every = Argmax()(structure, LABELS)
    for mentions, some in zip(Nested()(structure, LABELS), every):
        taken = []
        for mention in sorted(some, key=lambda m: (-m.score, m)):
            if not any(crosses((mention.start, mention.end), (other.start, other.end)) for other in taken):
                taken.append(mention)
        assert mentions == sorted(taken) and 1 < len(mentions) < len(some)


def test_mentions_may_cross_if_allowed():
    structure = random_sentences(length=8, width=5, labels=4)
    assert Nested(may_cross=True)(structure, LABELS) == Argmax()(structure, LABELS)


def test_a_minimum_probability_takes_several_types_on_one_span():
    scores = torch.tensor([[[0.2, 0.4, 0.3, 0.1]]]).log()
    structure = structure_of(scores, torch.tensor([[[[0, 1]]]]))
    assert [m.type for m in Argmax()(structure, LABELS)[0]] == [0]
    both = Nested(minimum=0.35)(structure, LABELS)[0]
    assert [(m.type, round(m.score, 3)) for m in both] == [(0, 0.5), (1, 0.4)]


@pytest.mark.parametrize("decoder", [Argmax, Greedy, Exact, Nested])
def test_mentions_below_the_threshold_are_left_out(decoder):
    structure = random_sentences(length=8, labels=4)
    every = [m.score for some in decoder()(structure, LABELS) for m in some]
    limit = sorted(every)[len(every) // 2]
    kept = [m.score for some in decoder(threshold=limit)(structure, LABELS) for m in some]
    assert min(every) < limit <= min(kept)


@pytest.mark.parametrize("decoder", [Argmax, Greedy, Exact, Nested])
def test_parts_may_overlap_anything(decoder):
    labels = SpanLabels(("O", "A", "A (part)"))
    spans = torch.tensor([[[[0, 2]], [[0, 1]], [[1, 2]], [[1, 3]]]])
    scores = torch.tensor([[[0.0, 9.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 2.0], [0.0, 0.0, 2.0]]])
    found = decoder()(structure_of(scores, spans), labels)[0]
    assert [(m.place, m.is_part) for m in found] == [(0, False), (1, True), (2, True), (3, True)]


def test_thousands_of_mentions_are_fast():
    draw = random.Random(0)
    starts = [draw.randrange(2000) for _ in range(20000)]
    mentions = [Mention(i, 0, s, s + 1 + i % 10, draw.random(), draw.random(), False) for i, s in enumerate(starts)]
    for decoder in (Greedy(), Exact(), Nested()):
        assert 200 < len(decoder.choose(mentions)) < 20000


@pytest.mark.parametrize("params", [{"type": "greedy", "threshold": 2}, {"type": "nested", "minimum": 0.0}])
def test_limits_that_are_not_probabilities_are_refused(params):
    with pytest.raises(ConfigurationError, match="probability"):
        SpanDecoder.from_params(Params(params))
