"""The character CNN with highway layers."""

import torch
from allennlp.common import Params
from allennlp.modules import Seq2VecEncoder
from torch.testing import assert_close

ENCODER = {"type": "cnn_highway", "embedding_dim": 3, "widths": [2, 3], "num_filters": 4}


def encoder():
    torch.manual_seed(0)
    return Seq2VecEncoder.from_params(Params(dict(ENCODER)))


def test_a_word_has_the_same_vector_whatever_it_is_padded_to():
    module = encoder()
    letters = torch.randn(1, 9, 3)
    lengths = [4, 6, 9]
    found = [module(letters[:, :n], (torch.arange(n) < 4).unsqueeze(0)) for n in lengths]
    for other in found[1:]:
        assert_close(other, found[0])


def test_its_layers_are_those_of_the_formula():
    module, letters = encoder(), torch.randn(2, 5, 3)
    parts = []
    for conv in module.convolutions:
        windows = letters.unfold(1, conv.kernel_size[0], 1)  # (words, windows, dim, width)
        parts.append(torch.tanh(torch.einsum("nwdk,fdk->nwf", windows, conv.weight) + conv.bias).amax(1))
    expected = torch.cat(parts, 1)
    for layer in module.highway._layers:
        new, gate = layer(expected).chunk(2, 1)
        expected = torch.sigmoid(gate) * expected + (1 - torch.sigmoid(gate)) * new.tanh()
    assert_close(module(letters, torch.ones(2, 5, dtype=torch.bool)), expected)
    assert module.get_output_dim() == 8 and module.get_input_dim() == 3


def test_words_have_the_vectors_that_they_have_alone():
    module = encoder()
    lengths = [5, 1, 0, 2, 9, 0, 3]
    letters = torch.randn(len(lengths), 9, 3)
    mask = torch.arange(9).unsqueeze(0) < torch.tensor(lengths).unsqueeze(1)
    together = module(letters, mask)
    for word, length in enumerate(lengths):
        assert_close(
            together[word],
            module(letters[word : word + 1, : max(length, 1)], mask[word : word + 1, : max(length, 1)])[0],
        )


def test_its_gradient_is_right():
    module = encoder().double()
    mask = torch.tensor([[True] * 4, [True, False, False, False], [False] * 4, [True, True, True, False]])
    letters = torch.randn(4, 4, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda given: module(given, mask), letters)


def test_a_word_that_is_shorter_than_a_filter_has_0_there_before_the_highway():
    module = Seq2VecEncoder.from_params(Params({**ENCODER, "num_highway": 0}))
    (found,) = module(torch.randn(1, 3, 3), torch.tensor([[True, True, False]]))
    assert found[:4].all() and not found[4:].any()


def test_a_batch_without_a_letter_is_all_zeros():
    assert not encoder()(torch.randn(2, 3, 3), torch.zeros(2, 3, dtype=torch.bool)).any()
