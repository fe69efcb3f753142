"""
Relation heads: score the possible labels of a pair of entities.

    f = cnn_1(e1)  cnn_2(e2)  cnn_3(words between)  left context  right context  onehot(distance)
    scores = W_2 relu(W_1 f + b_1) + b_2

The left context depends only on the first entity and the right context only on the second, so W_1 is applied in parts:
once per entity as first and as second argument, and once per pair. Their sum is W_1 f.
"""

from collections.abc import Sequence

import torch
from allennlp.common import Registrable
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.modules.dropout import Dropout
from ner_zoo.modules.lstm_minus import left_context, right_context
from ner_zoo.modules.segment_cnn import SegmentCnn
from ner_zoo.structures.chunks import Chunks
from ner_zoo.structures.pairs import Pairs


class RelationHead(torch.nn.Module, Registrable):
    """
    Base class: one subclass per pair scorer. The model sets `input_dim`, the size of the vectors, `num_tags` and
    `num_labels`; the rest comes from the config.
    """

    default_implementation = "relation"

    def forward(self, vectors: Tensor, mask: BoolTensor, tags: LongTensor, chunks: Chunks, pairs: Pairs) -> Tensor:
        """
        vectors, mask : `(batch, tokens, input_dim)` and `(batch, tokens)`.
        tags : `(n, batch, tokens)`, n taggings of each sentence.
        chunks, pairs : the entities of the n * batch rows, and pairs of them.

        Returns `(pairs, num_labels)`.
        """
        raise NotImplementedError


@RelationHead.register("relation")
class CnnLstmMinus(RelationHead):
    """
    hidden_dim : size of the layer between features and scores.
    widths, filters : widths and number of filters of the three convolutions.
    max_distance : pairs at this distance in words or more share one distance feature.
    dropout : dropout on word vectors and, with one mask per sentence, on contexts and the hidden layer.
    """

    def __init__(
        self,
        input_dim: int,
        num_tags: int,
        num_labels: int,
        hidden_dim: int = 100,
        widths: Sequence[int] = (2, 3),
        filters: int = 25,
        max_distance: int = 30,
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.cnns = torch.nn.ModuleList([SegmentCnn(input_dim, num_tags, widths, filters) for _ in range(3)])
        size = len(widths) * filters
        self.first = torch.nn.Linear(size + input_dim, hidden_dim)
        self.second = torch.nn.Linear(size + input_dim, hidden_dim, bias=False)
        self.between = torch.nn.Linear(size, hidden_dim, bias=False)
        self.distance = torch.nn.Embedding(max_distance + 1, hidden_dim)
        self.output = torch.nn.Linear(hidden_dim, num_labels)
        self.dropout = Dropout(dropout)
        # Initialised like one layer over all features.
        scale = (3 * size + 2 * input_dim + max_distance + 1) ** -0.5
        for weight in (self.first.weight, self.second.weight, self.between.weight, self.distance.weight):
            torch.nn.init.uniform_(weight, -scale, scale)

    @overrides
    def forward(self, vectors: Tensor, mask: BoolTensor, tags: LongTensor, chunks: Chunks, pairs: Pairs) -> Tensor:
        words = vectors[mask]  # (words, input_dim), without padding
        lengths = mask.sum(1)
        sentence = chunks.sentence % len(mask)
        begin = (lengths.cumsum(0) - lengths)[sentence]
        end = begin + lengths[sentence]
        # Positions of entities among the words of their sentence, and among those of all taggings.
        start, stop = begin + chunks.first, begin + chunks.last
        shift = chunks.sentence.div(len(mask), rounding_mode="floor") * len(words)
        dropped, taggings = self.dropout(words), tags[:, mask]
        segments: list = [(start + shift, stop + shift)] * 2
        segments.append(((stop + shift)[pairs.first], (start + shift)[pairs.second]))
        first, second, between = (cnn(dropped, taggings, *segment) for cnn, segment in zip(self.cnns, segments))
        left, right = left_context(words, start, begin), right_context(words, stop, end)
        left, right = (self._drop(context, sentence, len(mask)) for context in (left, right))
        as_first = self.first(torch.cat([first, left], 1))  # (entities, hidden_dim)
        as_second = self.second(torch.cat([second, right], 1))
        distance = (chunks.first[pairs.second] - chunks.last[pairs.first]).clamp(0, self.distance.num_embeddings - 1)
        hidden = as_first.index_select(0, pairs.first) + as_second.index_select(0, pairs.second)
        hidden = hidden + self.between(between) + self.distance(distance)  # (pairs, hidden_dim)
        return self.output(self._drop(hidden.relu(), sentence[pairs.first], len(mask)))

    def _drop(self, vectors: Tensor, sentence: LongTensor, batch: int) -> Tensor:
        """Dropout with one mask per sentence: there may be very many pairs, and drawing masks is slow."""
        if not self.training or self.dropout.p == 0:
            return vectors
        return vectors * self.dropout(vectors.new_ones(batch, vectors.shape[1])).index_select(0, sentence)
