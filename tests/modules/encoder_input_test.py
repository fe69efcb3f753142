import pytest
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules import FeedForward, Seq2SeqEncoder
from allennlp.modules.seq2seq_encoders import PassThroughEncoder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding

from ner_zoo.modules.encoder_input import built_over


def embedder(*sizes):
    return BasicTextFieldEmbedder(
        {str(i): Embedding(size, num_embeddings=3, vocab=Vocabulary()) for i, size in enumerate(sizes)}
    )


def lazy(base, **config):
    return Lazy(base, params=Params(config))


@pytest.mark.parametrize(
    "encoder",
    [
        {"type": "pass_through"},
        {"type": "pass_through", "input_dim": 7},
        {"type": "padded_lstm", "hidden_size": 2},
        {"type": "lstm", "hidden_size": 2},
        {"type": "padded_lstm", "input_size": 7, "hidden_size": 2},
    ],
)
def test_an_encoder_takes_the_vectors_of_all_embedders_together(encoder, caplog):
    assert built_over(embedder(3, 4), lazy(Seq2SeqEncoder, **encoder)).get_input_dim() == 7
    assert not [record for record in caplog.records if record.levelname == "WARNING"]


def test_an_encoder_that_is_already_built_is_unchanged():
    encoder = PassThroughEncoder(7)
    assert built_over(embedder(3, 4), encoder) is encoder


def test_a_layer_takes_the_vectors_of_the_encoder():
    layer = lazy(FeedForward, num_layers=1, hidden_dims=3, activations="tanh")
    assert built_over(PassThroughEncoder(5), layer).get_input_dim() == 5


def test_a_difference_is_refused_with_both_sizes():
    with pytest.raises(ConfigurationError, match="BasicTextFieldEmbedder.*PassThroughEncoder.*384 and 768"):
        built_over(embedder(384), lazy(Seq2SeqEncoder, type="pass_through", input_dim=768))
