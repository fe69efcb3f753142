"""
The cost of errors that F1 itself sets.

F1 = 2 TP / (gold + predicted) is above a value F exactly if 2 TP - F (gold + predicted) > 0. Up to a constant, that is

    -[(2 - F) missed + F spurious + 2 confused]

So to exceed F, a missed entity costs 2 - F, a spurious one F, and a wrong type, which is both, 2. The lower F1, the
more a missed entity costs compared with a spurious one: 3.4 times as much at F = 0.45, 1.35 times at 0.85.
"""

from allennlp.common.checks import ConfigurationError

from ner_zoo.losses.cost import Cost, WeightedHamming


@Cost.register("f1")
class F1Cost(WeightedHamming):
    """
    Hamming cost with the costs that F1 sets. Exact for spans; tags are counted one by one, so long entities cost more.

    f1 : the F1 to exceed, from 0 to 1, for example that of the likelihood on development data.
    scale : factor of all costs.
    """

    def __init__(self, f1: float, scale: float = 1.0) -> None:
        if not 0.0 <= f1 <= 1.0:
            raise ConfigurationError(f"`f1` of the cost is {f1}. Set it to a number from 0 to 1.")
        super().__init__(false_positive=scale * f1, false_negative=scale * (2.0 - f1), confusion=scale * 2.0)
