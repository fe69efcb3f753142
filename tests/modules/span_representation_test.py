"""Span representations: common guarantees, and the formula of each."""

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.labels.spans import SpanLabels
from ner_zoo.modules.biaffine import Biaffine
from ner_zoo.modules.endpoints import Endpoints
from ner_zoo.modules.projected_endpoints import ProjectedEndpoints
from ner_zoo.modules.separate_endpoints import SeparateEndpoints
from ner_zoo.modules.span_attention import SpanAttention, own_positions
from ner_zoo.modules.span_representation import SpanRepresentation, widths
from ner_zoo.structures.labelled_spans import hull

KINDS = {
    "endpoints": {"width_dim": 3},
    "projected_endpoints": {"dim": 6, "width_dim": 3},
    "separate_endpoints": {"dim": 6},
    "span_attention": {"hidden_size": 5},
    "question_spans": {"types": 2, "dim": 6},
    "span_extractor": {"extractor": {"type": "endpoint", "combination": "x,y,x*y"}},
}
# Two sentences; the second has one padding span. The third span of the first has two fragments.
SPANS = torch.tensor(
    [
        [[[0, 1], [-1, -1]], [[1, 4], [-1, -1]], [[0, 1], [3, 5]]],
        [[[2, 3], [-1, -1]], [[0, 3], [-1, -1]], [[-1, -1], [-1, -1]]],
    ]
)
WITHOUT_GAPS = SPANS[:, :2, :1]


def made(kind):
    torch.manual_seed(0)
    params = Params({"type": kind, **KINDS[kind]})
    return SpanRepresentation.from_params(params, input_dim=4).eval()


def encoded(seed=0):
    torch.manual_seed(seed)
    return torch.randn(2, 5, 4)


@pytest.mark.parametrize("kind", KINDS)
def test_the_vectors_have_the_declared_size(kind):
    representation = made(kind)
    vectors = representation(representation.tokens(encoded()), WITHOUT_GAPS)
    assert vectors.shape == (2, 2, representation.get_output_dim()) and vectors.isfinite().all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_span_has_the_same_vector_whatever_other_spans_there_are(kind):
    representation = made(kind)
    tokens = representation.tokens(encoded())
    together = representation(tokens, SPANS)
    for place in range(3):
        assert_close(together[:, place : place + 1], representation(tokens, SPANS[:, place : place + 1]))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "span_extractor"])
def test_a_gap_makes_a_difference(kind):
    representation = made(kind)
    tokens = representation.tokens(encoded())
    hulls = torch.tensor([[[[0, 5], [-1, -1]]], [[[0, 3], [-1, -1]]]])
    assert not torch.allclose(representation(tokens, SPANS)[0, 2], representation(tokens, hulls)[0, 0])


def test_endpoints_are_the_first_token_the_last_token_and_the_width():
    representation = made("endpoints")
    assert isinstance(representation, Endpoints) and representation.width_embedding is not None
    tokens, vectors = encoded(), representation(encoded(), SPANS)
    width = representation.width_embedding.weight
    assert_close(vectors[0, 1], torch.cat([tokens[0, 1], tokens[0, 3], width[3]]))
    means = torch.cat([(tokens[0, 0] + tokens[0, 3]) / 2, (tokens[0, 0] + tokens[0, 4]) / 2, width[3]])
    assert_close(vectors[0, 2], means)


def test_projected_endpoints_are_a_layer_on_endpoints():
    projected = made("projected_endpoints")
    assert isinstance(projected, ProjectedEndpoints)
    plain = Endpoints(4, width_dim=3)
    plain.width_embedding = projected.width_embedding
    first, last = projected.endpoint_projection.weight.chunk(2)
    weight = torch.cat([first, last, projected.width_projection.weight], dim=1)
    bias = sum(projected.endpoint_projection.bias.chunk(2))
    expected = torch.nn.functional.linear(plain(encoded(), SPANS), weight, bias).relu()
    is_span = SPANS[..., 0, 0] >= 0
    assert_close(projected(projected.tokens(encoded()), SPANS)[is_span], expected[is_span])


def test_a_width_beyond_the_last_has_the_last_ones_embedding():
    representation = Endpoints(4, width_dim=3, max_width=2).eval()
    assert representation.width_embedding is not None
    vectors = representation(encoded(), torch.tensor([[[[0, 5]]], [[[0, 2]]]]))
    assert_close(vectors[:, 0, 8:], representation.width_embedding.weight[2].expand(2, 3))


def test_attention_is_over_what_a_bilstm_makes_of_the_spans_own_tokens():
    representation = made("span_attention")
    assert isinstance(representation, SpanAttention)
    there, back = representation.forward_lstm, representation.backward_lstm
    vectors = representation(encoded(), SPANS)
    for sentence, place, own in [(0, 0, [0]), (0, 1, [1, 2, 3]), (0, 2, [0, 3, 4]), (1, 1, [0, 1, 2])]:
        words = encoded()[sentence, own].unsqueeze(0)
        forwards, backwards = there(words)[0][0], back(words.flip(1))[0][0].flip(0)
        hidden = torch.cat([forwards, backwards], dim=1)
        final = torch.cat([forwards[-1], backwards[0]])
        assert_close(vectors[sentence, place], (hidden @ final).softmax(0) @ hidden)


def test_attention_sees_no_token_outside_the_span():
    representation = made("span_attention")
    tokens = encoded()
    changed = tokens.clone()
    changed[0, 1:3] += 1.0
    before, after = representation(tokens, SPANS), representation(changed, SPANS)
    assert_close(before[0, 2], after[0, 2])
    assert not torch.allclose(before[0, 1], after[0, 1])


def test_own_tokens_are_those_of_all_fragments_in_order():
    assert own_positions(SPANS, 3)[0].tolist() == [[0, 0, 0], [1, 2, 3], [0, 3, 4]]


def test_widths_and_hulls():
    assert widths(SPANS).tolist() == [[1, 3, 3], [1, 3, 0]]
    assert hull(SPANS)[0].tolist() == [[0, 1], [1, 4], [0, 5]]


def test_a_biaffine_head_multiplies_both_ends():
    torch.manual_seed(0)
    head = Biaffine(8, SpanLabels(("O", "A", "B")))
    vectors = torch.randn(1, 2, 8)
    structure = head(vectors, torch.ones(1, 2, dtype=torch.bool))
    x, y = vectors[0, 1].chunk(2)
    matrices = head.bilinear.view(4, 3, 4)
    expected = torch.stack([x @ matrices[:, label] @ y for label in range(3)]) + head.linear(vectors[0, 1])
    assert_close(structure.scores[0, 1], expected)
    assert structure.background == 0


def test_a_biaffine_head_refuses_what_has_no_halves():
    with pytest.raises(ConfigurationError, match="separate_endpoints"):
        Biaffine(7, SpanLabels(("O", "A")))


def test_separate_endpoints_fit_a_biaffine_head():
    representation = made("separate_endpoints")
    assert isinstance(representation, SeparateEndpoints)
    head = Biaffine(representation.get_output_dim(), SpanLabels(("O", "A")))
    vectors = representation(representation.tokens(encoded()), SPANS)
    assert head(vectors, torch.ones(2, 3, dtype=torch.bool)).scores.shape == (2, 3, 2)
