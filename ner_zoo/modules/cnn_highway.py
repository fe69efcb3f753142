"""
A CNN over the letters of a word, and highway layers: one vector per word.

    z = t * g(W e + b) + (1 - t) * e,  t = sigmoid(W' e + b')          Kim et al., 2016

AllenNLP's own `cnn-highway` looks at padding too, so that a word's vector depends on the longest word of its batch.
"""

from typing import List

import torch
from allennlp.modules import Highway, Seq2VecEncoder
from allennlp.modules.seq2vec_encoders import CnnEncoder
from allennlp.nn import Activation
from overrides import overrides
from torch import Tensor


@Seq2VecEncoder.register("cnn_highway")
class CnnHighway(Seq2VecEncoder):
    """
    embedding_dim : the size of a letter's vector.
    widths : of the filters, in letters.
    num_filters : for each width.
    num_highway : the number of highway layers.
    """

    def __init__(self, embedding_dim: int, widths: List[int], num_filters: int, num_highway: int = 2) -> None:
        super().__init__()
        self.convolution = CnnEncoder(embedding_dim, num_filters, tuple(widths), Activation.by_name("tanh")())
        self.highway = Highway(self.convolution.get_output_dim(), num_highway, torch.tanh)

    @overrides
    def get_input_dim(self) -> int:
        return self.convolution.get_input_dim()

    @overrides
    def get_output_dim(self) -> int:
        return self.convolution.get_output_dim()

    @overrides(check_signature=False)
    def forward(self, inputs: Tensor, mask: Tensor) -> Tensor:  # type: ignore[override]
        return self.highway(self.convolution(inputs, mask))
