"""
A slightly wrong labelling u, made from the gold one by a rule: it should score below the gold, but above worse ones.
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
    """One subclass per rule."""

    default_implementation = "false_positive"

    def altered(self, gold: LongTensor, mask: BoolTensor) -> LongTensor:
        """u `(batch, positions)`; equal to the gold labelling where the rule finds nothing to alter."""
        raise NotImplementedError


@AlteredLabelling.register("false_positive")
class FalsePositive(AlteredLabelling):
    """
    The `O` immediately before the first entity becomes an entity of one token. A sentence without an entity, or with
    one at its very beginning, stays as it is.

    entity_type : the type of that entity. Its tag is the one that the scheme gives to a single token: `B-ORG` in BIO,
        as in the paper, but `U-ORG` in BIOUL and `S-ORG` in BIOES, where a lone `B-ORG` would be no tagging at all.
    label : that tag itself, if it is to be another.
    namespace : where the vocabulary keeps the tags.
    """

    def __init__(
        self, vocab: Vocabulary, entity_type: str = "ORG", label: str | None = None, namespace: str = "labels"
    ) -> None:
        numbers = vocab.get_token_to_index_vocabulary(namespace)
        label = label or _tag_of_single(entity_type, list(numbers))
        if label not in numbers or OUTSIDE not in numbers:
            raise ConfigurationError(
                f"The rule `false_positive` turns {OUTSIDE!r} into {label!r}, but the labels of {namespace!r} are "
                f"{', '.join(numbers)}. Set `entity_type` of the loss' `altered_labelling` to one of the types."
            )
        self.label = numbers[label]
        self.background = numbers[OUTSIDE]

    @overrides
    def altered(self, gold: LongTensor, mask: BoolTensor) -> LongTensor:
        is_entity = (gold != self.background) & mask
        # True at the position whose right neighbour is in an entity, while nothing up to it is.
        nothing_yet = is_entity.cumsum(1) == 0
        before_first = nothing_yet[:, :-1] & is_entity[:, 1:]
        return torch.cat([gold[:, :-1].masked_fill(before_first, self.label), gold[:, -1:]], dim=1)


def _tag_of_single(entity_type: str, names: list[str]) -> str:
    is_tagged = any("-" in name and split_tag(name)[1] != name for name in names)
    if not is_tagged:
        raise ConfigurationError(
            f"The rule `false_positive` alters the tag of a token, but the labels {', '.join(names)} are not tags like "
            "B-ORG: they name spans or pairs, none of which stands immediately before another. Use the loss `hinge`."
        )
    scheme = detect_scheme([[name] for name in names])
    return tags_from_entities([Entity.of(entity_type, 0, 1)], 1, scheme)[0]
