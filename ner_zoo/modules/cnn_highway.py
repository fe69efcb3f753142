"""
The character CNN of ner_zoo 0.1, kept so that its archives can be opened. `character_cnn` computes the same.
"""

import torch
from allennlp.modules import Highway, Seq2VecEncoder
from overrides import overrides
from torch import Tensor

from ner_zoo.modules.letter_rows import pooled


@Seq2VecEncoder.register("cnn_highway")
class CnnHighway(Seq2VecEncoder):
    """
    Equals the embedder `character_cnn` with the activation `tanh`, after the embedding.

    embedding_dim : size of a character vector.
    widths : widths of the filters in characters.
    num_filters : number of filters per width.
    num_highway : number of highway layers.
    """

    def __init__(self, embedding_dim: int, widths: list[int], num_filters: int, num_highway: int = 2) -> None:
        super().__init__()
        self.input_dim = embedding_dim
        self.output_dim = len(widths) * num_filters
        self.convolutions = torch.nn.ModuleList(torch.nn.Conv1d(embedding_dim, num_filters, k) for k in widths)
        self.highway = Highway(self.output_dim, num_highway, torch.tanh)

    @overrides
    def get_input_dim(self) -> int:
        return self.input_dim

    @overrides
    def get_output_dim(self) -> int:
        return self.output_dim

    @overrides(check_signature=False)
    def forward(self, inputs: Tensor, mask: Tensor) -> Tensor:  # type: ignore[override]
        """From `(words, letters, dim)`, left-aligned, to `(words, output_dim)`; 0 for empty words."""
        vectors = pooled(inputs[mask.bool()], mask.sum(1), list(self.convolutions), torch.tanh)
        is_word = mask.bool().any(1)
        return vectors.index_put((is_word,), self.highway(vectors[is_word]).to(vectors.dtype))
