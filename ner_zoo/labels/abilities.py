"""
What a model can predict, as far as its users have to know: the part of `Labels` that exported models have too.
"""

from collections.abc import Sequence

from ner_zoo.annotation import Entity
from ner_zoo.platform.configuration_error import ConfigurationError


class Abilities:
    """
    has_relations : whether predictions have relations; then there is `first_unholdable`.
    has_taggings : whether there are taggings, for `top_k`.
    """

    has_relations = False
    has_taggings = False

    @property
    def types(self) -> Sequence[str]:
        """The types of entities that can be found, sorted."""
        raise NotImplementedError

    def check_top_k(self, k: int) -> None:
        """Refuse to give taggings where there are none."""
        if k and not self.has_taggings:
            raise ConfigurationError(
                f"top_k is {k}, but this model does not label tokens and so has no taggings. Leave top_k out, or use a "
                "model of tags such as `tagger`."
            )

    def first_unholdable(self, entities: Sequence[Entity], length: int) -> Entity | None:
        """The first of these entities of a sentence of `length` tokens that cannot be given to the model."""
        raise NotImplementedError
