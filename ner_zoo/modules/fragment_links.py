"""
Predicts which parts are adjacent in one discontinuous entity: a label, `no` or `yes`, for each pair of parts.

    score = W_2 relu(W_1 [v_first ; v_second ; v_first · v_second ; gap embedding])
"""

from collections.abc import Sequence

import torch
from allennlp.common import FromParams
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.modules.dropout import Dropout
from ner_zoo.structures import Independent

NO, YES = 0, 1
PADDING = -1


class FragmentLinks(torch.nn.Module, FromParams):
    """
    The model sets `input_dim`, the size of the span vectors.

    dim : size of the hidden layer.
    gap_dim : size of the embedding of the gap between two parts.
    max_gap : maximum gap between adjacent parts, in tokens.
    max_parts : maximum number of parts per sentence, most probable first.
    dropout : dropout on the hidden layer.
    """

    def __init__(
        self,
        input_dim: int,
        dim: int = 100,
        gap_dim: int = 20,
        max_gap: int = 20,
        max_parts: int = 24,
        dropout: float = 0.2,
    ) -> None:
        super().__init__()
        self.max_gap = max_gap
        self.max_parts = max_parts
        self.gap_embedding = torch.nn.Embedding(max_gap + 1, gap_dim)
        self.hidden = torch.nn.Linear(3 * input_dim + gap_dim, dim)
        self.dropout = Dropout(dropout)
        self.output = torch.nn.Linear(dim, 2)

    def forward(self, first: Tensor, second: Tensor, gaps: LongTensor, mask: BoolTensor) -> Independent:
        """Scores pairs, given the vectors of both parts `(batch, pairs, input_dim)` and their gaps `(batch, pairs)`."""
        gap = self.gap_embedding(gaps.clamp(min=0, max=self.max_gap))
        hidden = self.hidden(torch.cat([first, second, first * second, gap], dim=2)).relu()
        return Independent(self.output(self.dropout(hidden)), mask, NO)

    def pairs(self, spans: LongTensor, is_part: BoolTensor, probability: Tensor) -> LongTensor:
        """
        The indices of parts that may be adjacent, in order: `(batch, pairs, 2)`, padded with -1. There is at least one
        row, so that every batch uses every parameter.
        """
        found: list[list[list[int]]] = [[] for _ in range(len(spans))]
        for sentence in is_part.any(1).nonzero()[:, 0].tolist():
            places = is_part[sentence].nonzero()[:, 0]
            best = probability[sentence, places].argsort(descending=True)[: self.max_parts]
            chosen = places[best].tolist()
            found[sentence] = self._neighbours(chosen, spans[sentence, chosen, 0].tolist())
        count = max(1, *map(len, found))
        rows = [some + [[PADDING, PADDING]] * (count - len(some)) for some in found]
        return torch.tensor(rows, device=spans.device)

    def _neighbours(self, places: Sequence[int], spans: Sequence[Sequence[int]]) -> list[list[int]]:
        ordered = sorted(zip(spans, places))
        return [
            [before, behind]
            for (_, end), before in ordered
            for (start, _), behind in ordered
            if 1 <= start - end <= self.max_gap
        ]


def link_labels(pairs: LongTensor, links: LongTensor) -> LongTensor:
    """The gold labels `(batch, pairs)` of pairs of indices, given the linked indices `(batch, links, 2)`."""
    same = (pairs.unsqueeze(2) == links.unsqueeze(1)).all(3)
    return (same.any(2) & (pairs[..., 0] != PADDING)).long()
