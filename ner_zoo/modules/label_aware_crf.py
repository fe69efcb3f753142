"""
A CRF that knows how rare each label is: scores of tokens are multiplied before the chain, those of rare labels most.

    zeta = (max_i n_i / n)^tau,  n = how often each label occurs in the training data          Zhou et al., 2019

The counts come from the trainer, through the callback `label_counts`; zeta is part of the weights.
"""

from collections.abc import Mapping
from math import inf

import torch
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import BoolTensor, Tensor

from ner_zoo.labels import Labels
from ner_zoo.modules.crf import Crf
from ner_zoo.modules.head import Head
from ner_zoo.structures import LinearChain


@Head.register("label_aware_crf")
class LabelAwareCrf(Crf):
    """
    tau : how much rareness counts; 0 is the head `crf`.
    max_zeta : the highest factor, if there is to be one.
    namespace : where the vocabulary keeps the labels.
    constrained : as for `crf`.
    """

    def __init__(
        self,
        input_dim: int,
        labels: Labels,
        tau: float = 0.25,
        max_zeta: float | None = None,
        namespace: str = "labels",
        constrained: bool = True,
    ) -> None:
        super().__init__(input_dim, labels, constrained)
        if not 0.0 <= tau < inf or not (max_zeta is None or max_zeta >= 1.0):
            raise ConfigurationError(
                f"tau is {tau} and max_zeta is {max_zeta}. Give a tau of 0 or more and a max_zeta of 1 or more."
            )
        self.tau = tau
        self.max_zeta = max_zeta
        self.namespace = namespace
        self.names = labels.names
        # 0 as long as nobody has counted: a factor is never below 1.
        self.register_buffer("zeta", torch.zeros(len(labels.names)))
        self._is_known_to_be_counted = False

    def is_counted(self) -> bool:
        return bool(self.zeta.any())

    def count(self, counts: Mapping[str, int]) -> None:
        """How often each label occurs. One that never does counts as if it did once."""
        numbers = torch.tensor([counts.get(name, 0) for name in self.names], dtype=torch.float64).clamp(min=1.0)
        zeta = (numbers.max() / numbers) ** self.tau
        self.zeta.copy_(zeta.clamp(min=1.0, max=self.max_zeta))

    @overrides
    def forward(self, vectors: Tensor, mask: BoolTensor) -> LinearChain:
        if not self._is_known_to_be_counted and not self.is_counted():
            raise ConfigurationError(
                "The head `label_aware_crf` does not know how often each label occurs in the training data. AllenNLP's "
                "trainer has them counted, unless `enable_default_callbacks` is false: then add the callback "
                "`label_counts`."
            )
        self._is_known_to_be_counted = True
        scores = self.projection(vectors) * self.zeta
        return LinearChain(scores, self.transitions, mask, self.start, self.end, self.constraints, self.background)
