import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules.seq2seq_encoders import PassThroughEncoder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding

from ner_zoo.modules.encoder_input import check_encoder_input


def embedder(*sizes):
    return BasicTextFieldEmbedder(
        {str(i): Embedding(size, num_embeddings=3, vocab=Vocabulary()) for i, size in enumerate(sizes)}
    )


def test_vectors_of_all_embedders_together_fit():
    check_encoder_input(embedder(3, 4), PassThroughEncoder(7))


def test_a_difference_is_refused_with_both_sizes():
    with pytest.raises(ConfigurationError, match="embedder.*NER_ZOO_ENCODER_DIM.*384 and 768"):
        check_encoder_input(embedder(384), PassThroughEncoder(768))
