"""
An encoder takes vectors of the size that the embedder makes. Where it does not, that is said before training, and not
by a product of matrices in the middle of it.
"""

from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder


def check_encoder_input(embedder: TextFieldEmbedder, encoder: Seq2SeqEncoder) -> None:
    made, taken = embedder.get_output_dim(), encoder.get_input_dim()
    if made != taken:
        raise ConfigurationError(
            f"The embedder makes vectors of size {made}, but the encoder takes vectors of size {taken}. Give both the "
            "same size; the encoder of Hugging Face that NER_ZOO_ENCODER names has that of NER_ZOO_ENCODER_DIM."
        )
