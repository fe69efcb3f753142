"""Settings for training word vectors."""

from dataclasses import dataclass
from math import inf

from allennlp.common.checks import ConfigurationError


@dataclass(frozen=True)
class Settings:
    """
    dim : size of the vectors.
    window : maximum distance between words that count as co-occurring.
    min_count : minimum count of a word to get a vector.
    max_words : size of the vocabulary, most frequent words first; 0 for no limit.
    epochs : passes over the word pairs.
    learning_rate : learning rate of AdaGrad.
    x_max : count above which the weight of a pair stops growing.
    alpha : exponent of a pair's count in its weight.
    seed : random seed.
    """

    dim: int = 100
    window: int = 10
    min_count: int = 2
    max_words: int = 0
    epochs: int = 25
    learning_rate: float = 0.05
    x_max: float = 10.0
    alpha: float = 0.75
    seed: int = 13370

    def __post_init__(self) -> None:
        for name in ("dim", "window", "min_count", "epochs", "learning_rate", "x_max", "alpha"):
            if not 0 < getattr(self, name) < inf:
                raise ConfigurationError(f"{name} is {getattr(self, name)}. Set it to a number above 0.")
        for name in ("max_words", "seed"):
            if getattr(self, name) < 0:
                raise ConfigurationError(f"{name} is {getattr(self, name)}. Set it to 0 or more.")
