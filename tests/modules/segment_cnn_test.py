"""The shared convolution gives each segment the result of a convolution over that segment alone."""

import pytest
import torch
from torch.nn.functional import conv1d, one_hot, pad
from torch.testing import assert_close

from ner_zoo.modules.segment_cnn import SegmentCnn

TAGS = 4


def alone(cnn, vectors, tags):
    """One segment through an ordinary convolution on vectors and one-hot tags."""
    outputs = []
    words = torch.cat([vectors, one_hot(tags, TAGS).to(vectors.dtype)], 1)  # (words, dim + tags)
    place = 0
    for number, width in enumerate(cnn.widths):
        taps = [slice(place + i * cnn.filters, place + (i + 1) * cnn.filters) for i in range(width)]
        kernel = torch.stack([torch.cat([cnn.words.weight[tap], cnn.tags.weight[:, tap].t()], 1) for tap in taps], 2)
        place += width * cnn.filters
        padded = pad(words.t(), (0, max(width - len(words), 0)))
        bias = cnn.bias[number * cnn.filters : (number + 1) * cnn.filters]
        outputs.append(conv1d(padded.unsqueeze(0), kernel, bias).relu().amax(2).squeeze(0))
    return torch.cat(outputs)


@pytest.fixture
def cnn():
    torch.manual_seed(0)
    made = SegmentCnn(5, TAGS, widths=(2, 3), filters=3).double()
    torch.nn.init.normal_(made.bias)
    return made


def test_a_segment_among_others_has_the_features_it_has_alone(cnn):
    vectors = torch.randn(11, 5, dtype=torch.float64)
    tags = torch.randint(TAGS, (3, 11))
    segments = [(n, i, j) for n in range(3) for i in range(11) for j in range(i + 1, 12)]
    first, last = torch.tensor([(n * 11 + i, n * 11 + j) for n, i, j in segments]).unbind(1)
    expected = [alone(cnn, vectors[i:j], tags[n, i:j]) for n, i, j in segments]
    assert_close(cnn(vectors, tags, first, last), torch.stack(expected))


def test_few_segments_have_the_features_they_have_among_many(cnn):
    vectors = torch.randn(11, 5, dtype=torch.float64)
    tags = torch.randint(TAGS, (3, 11))
    segments = [(1, 2, 3), (0, 4, 8), (2, 5, 5), (2, 10, 11), (1, 0, 2)]
    first, last = torch.tensor([(n * 11 + i, n * 11 + j) for n, i, j in segments]).unbind(1)
    found = cnn(vectors, tags, first, last)
    for number, (n, i, j) in enumerate(segments):
        expected = alone(cnn, vectors[i:j], tags[n, i:j]) if i < j else torch.zeros(6, dtype=torch.float64)
        assert_close(found[number], expected)


def test_an_empty_segment_has_features_of_zero_at_any_position(cnn):
    vectors, tags = torch.randn(4, 5, dtype=torch.float64), torch.zeros(1, 4, dtype=torch.long)
    place = torch.tensor([0, 2, 4])
    assert not cnn(vectors, tags, place, place).any()


def test_every_parameter_has_a_gradient_even_of_one_word(cnn):
    vectors, tags = torch.randn(1, 5, dtype=torch.float64), torch.zeros(1, 1, dtype=torch.long)
    cnn(vectors, tags, torch.tensor([0]), torch.tensor([1])).sum().backward()
    assert all(parameter.grad is not None for parameter in cnn.parameters())
