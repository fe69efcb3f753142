"""
A sentence with given tokens and token-level mentions, as in the JSON formats.

Empty tokens, which embedders cannot handle, are left out, and mentions are shifted accordingly.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Sentence, Span
from ner_zoo.data.corpora.annotated_text import Link, Mention, distinct_entities, distinct_relations, joined
from ner_zoo.data.repairs import Repairs


def sentence_of(
    tokens: Sequence[str],
    mentions: dict[str, Mention],
    links: Iterable[Link],
    repairs: Repairs,
    source: str,
    unknown: Sequence[Span] = (),
) -> Sentence:
    """The sentence; duplicate entities and relations are dropped and counted. unknown : spans without annotation."""
    for start, end in unknown:
        if not 0 <= start < end <= len(tokens):
            raise ConfigurationError(
                f"{source}: tokens {start} to {end} are unknown, but the sentence has {len(tokens)} tokens."
            )
    for mention in mentions.values():
        if not mention.fragments or not all(0 <= start < end <= len(tokens) for start, end in mention.fragments):
            raise ConfigurationError(
                f"{mention.source}: an entity of type {mention.type!r} covers tokens {list(mention.fragments)}, but "
                f"the sentence has {len(tokens)} tokens. Offsets must be half-open; check how the file counts."
            )
    repairs.add("empty token left out", source, sum(not token for token in tokens))
    # The number of remaining tokens before each position.
    kept = [0, *accumulate(1 if token else 0 for token in tokens)]
    entities: dict[str, Entity | None] = {}
    for key, mention in mentions.items():
        fragments = joined((kept[start], kept[end]) for start, end in mention.fragments)
        entities[key] = Entity(mention.type, tuple(fragments)) if fragments else None
    return Sentence(
        tokens=tuple(token for token in tokens if token),
        entities=distinct_entities(entities, mentions, repairs),
        relations=distinct_relations(links, entities, repairs),
        unknown=tuple(place for start, end in joined(unknown) for place in range(kept[start], kept[end])),
        source=source,
    )
