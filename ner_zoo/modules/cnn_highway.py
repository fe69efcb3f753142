"""
A CNN over the letters of a word, and highway layers: one vector per word.

    e = max over windows of tanh(W letters + b)          z = t * g(V e + c) + (1 - t) * e,  t = sigmoid(V' e + c')

AllenNLP's own CNNs go over a rectangle of letters, as wide as the longest word of the batch and mostly padding; its
`cnn-highway` even lets that padding change the vectors of words. Here the letters of all words are one row, each is
multiplied by all filters at once, and windows that would reach into the next word are left out.
"""

import torch
from allennlp.modules import Highway, Seq2VecEncoder
from overrides import overrides
from torch import Tensor
from torch.nn.functional import pad


@Seq2VecEncoder.register("cnn_highway")
class CnnHighway(Seq2VecEncoder):
    """
    embedding_dim : the size of a letter's vector.
    widths : of the filters, in letters. A word that is shorter than a filter has 0 there.
    num_filters : for each width.
    num_highway : the number of highway layers.
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
        """From `(words, letters, dim)`, filled from the left, to `(words, output_dim)`; 0 where a word is empty."""
        mask = mask.bool()
        lengths = mask.sum(1)
        is_word = lengths > 0
        vectors = inputs.new_zeros(len(inputs), self.output_dim)
        if not is_word.any():
            return vectors
        # How many letters of its word there are from each letter on.
        left = (lengths.unsqueeze(1) - mask.cumsum(1) + 1)[mask]  # (letters,)
        pooled = self._pooled(inputs[mask], left, lengths[is_word])
        return vectors.index_put((is_word,), self.highway(pooled).to(vectors.dtype))

    def _pooled(self, letters: Tensor, left: Tensor, lengths: Tensor) -> Tensor:
        """From `(letters, dim)`, the letters of all words in a row, to `(words, output_dim)`."""
        kernels = [conv.weight.permute(1, 2, 0).flatten(1) for conv in self.convolutions]  # (dim, width * filters)
        products = (letters @ torch.cat(kernels, 1)).split([kernel.shape[1] for kernel in kernels], 1)
        pooled = []
        for conv, product in zip(self.convolutions, products):
            width = conv.kernel_size[0]
            steps = product.unflatten(1, (width, -1)).unbind(1)  # of each window's letters, its share in the sum
            sums = sum(pad(step[at:], (0, 0, 0, min(at, len(step)))) for at, step in enumerate(steps))
            sums = sums.masked_fill((left < width).unsqueeze(1), torch.finfo(sums.dtype).min)
            # The highest sum has the highest tanh.
            highest = torch.segment_reduce(sums, "max", lengths=lengths, axis=0)
            pooled.append(torch.tanh(highest + conv.bias).masked_fill((lengths < width).unsqueeze(1), 0.0))
        return torch.cat(pooled, 1)
