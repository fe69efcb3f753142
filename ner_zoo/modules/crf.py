"""
Linear-chain CRF: a linear layer for the tokens, transition scores between tags, and only legal transitions.
"""

import torch
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import BoolTensor, Tensor

from ner_zoo.labels.labels import Labels
from ner_zoo.labels.tags import TagLabels
from ner_zoo.modules.head import Head
from ner_zoo.structures import ChainConstraints, LinearChain


@Head.register("crf")
class Crf(Head):
    """constrained : whether taggings that the scheme forbids are excluded from every sum and search."""

    def __init__(self, input_dim: int, labels: Labels, constrained: bool = True) -> None:
        super().__init__()
        if not isinstance(labels, TagLabels):
            raise ConfigurationError(
                "The head `crf` models transitions between the tags of adjacent tokens, so it requires the model "
                "`tagger` and the view `tags`. For spans use the head `softmax`."
            )
        num_tags = len(labels.names)
        self.background = labels.background
        self.projection = torch.nn.Linear(input_dim, num_tags)
        self.transitions = torch.nn.Parameter(torch.empty(num_tags, num_tags))
        self.start = torch.nn.Parameter(torch.empty(num_tags))
        self.end = torch.nn.Parameter(torch.empty(num_tags))
        torch.nn.init.xavier_normal_(self.transitions)
        torch.nn.init.normal_(self.start)
        torch.nn.init.normal_(self.end)
        # Not a parameter, which an initializer's regex might match.
        self.constraints: ChainConstraints | None = labels.constraints() if constrained else None

    @overrides
    def forward(self, vectors: Tensor, mask: BoolTensor) -> LinearChain:
        return LinearChain(
            self.projection(vectors), self.transitions, mask, self.start, self.end, self.constraints, self.background
        )
