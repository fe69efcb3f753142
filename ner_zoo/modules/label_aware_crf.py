"""
Label-aware CRF: token scores are multiplied by a factor that is larger for rare labels.

    zeta = (max_i n_i / n)^tau,  n = how often each label occurs in the training data          Zhou et al., 2019

The counts are set by the callback `label_counts`; zeta is stored with the weights.
"""

from collections.abc import Mapping
from math import inf

import torch
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import BoolTensor, Tensor

from ner_zoo.labels.labels import Labels
from ner_zoo.modules.crf import Crf
from ner_zoo.modules.head import Head
from ner_zoo.structures import LinearChain


@Head.register("label_aware_crf")
class LabelAwareCrf(Crf):
    """
    tau : strength of the effect; 0 gives the head `crf`.
    max_zeta : upper bound of the factor, if any.
    namespace : vocabulary namespace of the labels.
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
                f"tau is {tau} and max_zeta is {max_zeta}. Set tau to 0 or more and max_zeta to 1 or more."
            )
        self.tau = tau
        self.max_zeta = max_zeta
        self.namespace = namespace
        self.names = labels.names
        # 0 until labels have been counted: a factor is never below 1.
        self.register_buffer("zeta", torch.zeros(len(labels.names)))
        self._is_known_to_be_counted = False

    def is_counted(self) -> bool:
        return bool(self.zeta.any())

    def count(self, counts: Mapping[str, int]) -> None:
        """Sets the label counts. A label that never occurs counts as one occurrence."""
        numbers = torch.tensor([counts.get(name, 0) for name in self.names], dtype=torch.float64).clamp(min=1.0)
        zeta = (numbers.max() / numbers) ** self.tau
        self.zeta.copy_(zeta.clamp(min=1.0, max=self.max_zeta))

    @overrides
    def forward(self, vectors: Tensor, mask: BoolTensor) -> LinearChain:
        if not self._is_known_to_be_counted and not self.is_counted():
            raise ConfigurationError(
                "The head `label_aware_crf` needs the label counts of the training data. AllenNLP's trainer sets them "
                "unless `enable_default_callbacks` is false: in that case, add the callback "
                "`label_counts`."
            )
        self._is_known_to_be_counted = True
        scores = self.projection(vectors) * self.zeta
        return LinearChain(scores, self.transitions, mask, self.start, self.end, self.constraints, self.background)
