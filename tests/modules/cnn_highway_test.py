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
    for width, conv in zip((2, 3), (module.convolution.conv_layer_0, module.convolution.conv_layer_1)):
        windows = letters.unfold(1, width, 1)  # (words, windows, dim, width)
        parts.append(torch.tanh(torch.einsum("nwdk,fdk->nwf", windows, conv.weight) + conv.bias).amax(1))
    expected = torch.cat(parts, 1)
    for layer in module.highway._layers:
        new, gate = layer(expected).chunk(2, 1)
        expected = torch.sigmoid(gate) * expected + (1 - torch.sigmoid(gate)) * new.tanh()
    assert_close(module(letters, torch.ones(2, 5, dtype=torch.bool)), expected)
    assert module.get_output_dim() == 8 and module.get_input_dim() == 3


def test_a_word_shorter_than_every_filter_has_a_vector():
    found = encoder()(torch.randn(1, 3, 3), torch.tensor([[True, False, False]]))
    assert found.isfinite().all()
