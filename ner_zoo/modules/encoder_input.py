"""
An encoder takes vectors of the size that the embedder makes. Where it does not, that is said before training, and not
by a product of matrices in the middle of it.
"""

from allennlp.common.checks import check_dimensions_match
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder


def check_encoder_input(embedder: TextFieldEmbedder, encoder: Seq2SeqEncoder) -> None:
    check_dimensions_match(
        embedder.get_output_dim(),
        encoder.get_input_dim(),
        "The size of the embedder's vectors",
        "what the encoder takes (NER_ZOO_ENCODER_DIM, if NER_ZOO_ENCODER names the embedder's)",
    )
