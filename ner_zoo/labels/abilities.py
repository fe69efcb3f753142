"""
What a model can predict: the part of `Labels` that exported models have too.
"""

from collections.abc import Sequence

from ner_zoo.annotation import Entity
from ner_zoo.platform.configuration_error import ConfigurationError


class Abilities:
    """
    has_relations : whether predictions include relations; if so, `first_unholdable` is available.
    has_taggings : whether taggings are available, for `top_k`.
    """

    has_relations = False
    has_taggings = False

    @property
    def types(self) -> Sequence[str]:
        """The entity types that can be predicted, sorted."""
        raise NotImplementedError

    def check_top_k(self, k: int) -> None:
        """Refuses `top_k` if the model has no taggings."""
        if k and not self.has_taggings:
            raise ConfigurationError(
                f"top_k is {k}, but this model does not label tokens and so has no taggings. Remove top_k, or use a "
                f"model with tags such as `tagger`."
            )

    def first_unholdable(self, entities: Sequence[Entity], length: int) -> Entity | None:
        """The first of the given entities of a sentence of `length` tokens that the model cannot represent."""
        raise NotImplementedError
