"""
Rules that create a slightly wrong labelling u from gold: u should score below gold, but above worse labellings.
"""

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from overrides import overrides
from torch import BoolTensor, LongTensor

from ner_zoo.annotation import Entity
from ner_zoo.data.tag_schemes import OUTSIDE, detect_scheme, split_tag, tags_from_entities


class AlteredLabelling(Registrable):
    """Base class: one subclass per rule."""

    default_implementation = "false_positive"

    def altered(self, gold: LongTensor, mask: BoolTensor) -> LongTensor:
        """u `(batch, positions)`; equal to the gold labelling if the rule finds nothing to alter."""
        raise NotImplementedError


@AlteredLabelling.register("false_positive")
class FalsePositive(AlteredLabelling):
    """
    Turns the `O` immediately before the first entity into an entity of one token. A sentence without an entity, or with
    one at the very beginning, is left unchanged.

    entity_type : type of the new entity. It gets the scheme's tag for a single token: `B-ORG` in BIO, as in the paper,
        but `U-ORG` in BIOUL and `S-ORG` in BIOES, where a lone `B-ORG` would be invalid.
    label : overrides this tag.
    namespace : vocabulary namespace of the tags.
    """

    def __init__(
        self, vocab: Vocabulary, entity_type: str = "ORG", label: str | None = None, namespace: str = "labels"
    ) -> None:
        numbers = vocab.get_token_to_index_vocabulary(namespace)
        label = label or _tag_of_single(entity_type, list(numbers))
        if label not in numbers or OUTSIDE not in numbers:
            raise ConfigurationError(
                f"The rule `false_positive` turns {OUTSIDE!r} into {label!r}, but the labels of {namespace!r} are "
                f"{', '.join(numbers)}. Set `entity_type` in the loss's `altered_labelling` to one of the types."
            )
        self.label = numbers[label]
        self.background = numbers[OUTSIDE]

    @overrides
    def altered(self, gold: LongTensor, mask: BoolTensor) -> LongTensor:
        is_entity = (gold != self.background) & mask
        # True at the position before the first entity.
        nothing_yet = is_entity.cumsum(1) == 0
        before_first = nothing_yet[:, :-1] & is_entity[:, 1:]
        return torch.cat([gold[:, :-1].masked_fill(before_first, self.label), gold[:, -1:]], dim=1)


def _tag_of_single(entity_type: str, names: list[str]) -> str:
    is_tagged = any("-" in name and split_tag(name)[1] != name for name in names)
    if not is_tagged:
        raise ConfigurationError(
            f"The rule `false_positive` alters the tag of a token, but the labels {', '.join(names)} are not tags "
            f"like B-ORG: they are labels of spans or pairs, which have no order. Use the loss `hinge`."
        )
    scheme = detect_scheme([[name] for name in names])
    return tags_from_entities([Entity.of(entity_type, 0, 1)], 1, scheme)[0]
