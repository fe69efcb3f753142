import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.fields import TextField
from allennlp.data.tokenizers import Token
from allennlp.modules.token_embedders import PretrainedTransformerMismatchedEmbedder
from torch.testing import assert_close

from ner_zoo.data.vector_store import VectorStore
from ner_zoo.data.word_pieces import WordPieces
from ner_zoo.modules.frozen_encoder import FrozenEncoder, keys_of, layer_numbers
from tests.encoder_experiments import ENCODER, LONG, NOTHING

SENTENCES = (("the", "berging", "works"), ("the", NOTHING[0], "city"), LONG, NOTHING)


def batch(*sentences, max_length=16):
    indexer = WordPieces(ENCODER, max_length=max_length)
    fields = [TextField([Token(word) for word in words], {"encoder": indexer}) for words in sentences]
    for field in fields:
        field.index(Vocabulary())
    lengths = [field.get_padding_lengths() for field in fields]
    longest = {key: max(one[key] for one in lengths) for key in lengths[0]}
    return fields[0].batch_tensors([field.as_tensor(longest) for field in fields])["encoder"]


def frozen(layers="mix", max_length=16):
    return FrozenEncoder(ENCODER, max_length, layers)


def stock(last_layer_only):
    return PretrainedTransformerMismatchedEmbedder(ENCODER, max_length=16, last_layer_only=last_layer_only).eval()


def with_store(encoder, tensors, folder):
    encoder.store = VectorStore(folder, encoder.fingerprint(), len(encoder.layers), encoder.get_output_dim())
    vectors = encoder.encoded(**tensors)
    lengths = tensors["mask"].sum(1).tolist()
    pieces = tensors["segment_concat_mask"]
    with encoder.store.locked():
        keys = keys_of(tensors["token_ids"], pieces, tensors["offsets"], tensors["mask"])
        encoder.store.add(keys, [vectors[:, row, :length] for row, length in enumerate(lengths)])


@pytest.mark.parametrize(("layers", "last_layer_only"), [("last", True), ([-1], True), ("mix", False), ([1, 2], False)])
def test_vectors_are_those_of_the_encoder_and_of_an_even_mix_at_first(layers, last_layer_only):
    tensors = batch(*SENTENCES)
    with torch.no_grad():
        expected = stock(last_layer_only)(**tensors) * tensors["mask"].unsqueeze(-1)
        found = frozen(layers)(**tensors)
    assert_close(found, expected, rtol=2e-3, atol=2e-3)


def test_a_word_without_pieces_and_padding_are_zero():
    found = frozen()(**batch(*SENTENCES))
    assert not found[1, 1].any() and not found[3].any() and not found[0, 3:].any()
    assert found[0, :3].any(dim=-1).all()


@pytest.mark.parametrize("layers", ["mix", "last"])
def test_vectors_from_the_store_are_those_of_the_encoder(layers, tmp_path):
    encoder, tensors = frozen(layers), batch(*SENTENCES)
    expected = encoder(**tensors)
    with_store(encoder, tensors, tmp_path)
    encoder.encoder.forward = None  # must not run again
    assert torch.equal(encoder(**tensors), expected)
    assert_close(encoder(**batch(SENTENCES[1], SENTENCES[0])), expected[[1, 0], :3])


def test_a_sentence_that_the_store_does_not_have_is_read_by_the_encoder(tmp_path):
    encoder = frozen()
    with_store(encoder, batch(SENTENCES[0]), tmp_path)
    both = batch(SENTENCES[0], ("a", "city"))
    found = encoder(**both)
    encoder.store = None
    assert_close(found, encoder(**both))


def test_the_mix_is_learned_and_the_encoder_is_not(tmp_path):
    encoder, tensors = frozen().train(), batch(*SENTENCES)
    with_store(encoder, tensors, tmp_path)
    learned = [name for name, parameter in encoder.named_parameters() if parameter.requires_grad]
    assert learned == ["mix", "gamma"]
    assert not encoder.encoder.transformer_model.training
    encoder(**tensors).square().sum().backward()
    assert encoder.mix.grad.any() and encoder.gamma.grad != 0
    layers = encoder.encoded(**tensors).float()
    weights = torch.tensor([0.3, -0.2])
    with torch.no_grad():
        encoder.mix.copy_(weights)
        encoder.gamma.fill_(2.0)
    expected = 2 * sum(weight * layer for weight, layer in zip(weights.softmax(0), layers))
    assert_close(encoder(**tensors), expected)


def test_the_fingerprint_is_that_of_the_weights_and_settings():
    same, again = frozen().fingerprint(), frozen().fingerprint()
    assert same == again
    changed = frozen()
    with torch.no_grad():
        next(iter(changed.encoder.transformer_model.parameters())).view(-1)[0] += 1e-3
    others = {frozen("last").fingerprint(), frozen(max_length=20).fingerprint(), changed.fingerprint(), same}
    assert len(others) == 4


def test_an_encoder_that_was_saved_without_a_pooler_has_one_fingerprint():
    """transformers adds a pooler with random weights, which no layer depends on."""
    encoders = [frozen(), frozen()]
    with torch.no_grad():
        for seed, encoder in enumerate(encoders):
            torch.manual_seed(seed)
            encoder.encoder.transformer_model.pooler = torch.nn.Linear(4, 4)
    assert encoders[0].fingerprint() == encoders[1].fingerprint()


@pytest.mark.parametrize("layers", [[], [0], [3], "first", [1, -3]])
def test_layers_that_the_encoder_does_not_have_are_refused(layers):
    with pytest.raises(ConfigurationError, match="from 1 to 2"):
        frozen(layers)


def test_layers_are_counted_from_both_ends():
    assert layer_numbers([-1, 2, 6], 6) == [1, 5]
