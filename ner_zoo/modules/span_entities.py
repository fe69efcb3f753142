"""
The entities of a sentence, from its mentions and the links between those that are parts.

The score of an entity is the probability of its type on its span; of a discontinuous one, the product of the
probabilities of its parts and of the links between them.
"""

from math import prod
from typing import Dict, List, Mapping, Sequence, Tuple

from ner_zoo.annotation import Entity
from ner_zoo.data.candidates import fragments_of
from ner_zoo.data.fragments import Link, paths, whole
from ner_zoo.modules.span_decoding import Mention

Scored = Tuple[Entity, float]


def joined(
    mentions: Sequence[Mention],
    spans: Mapping[int, Sequence[Sequence[int]]],
    links: Mapping[Link, float],
    types: Sequence[str],
) -> List[Scored]:
    """
    mentions : what was found.
    spans : the candidate span at each place that a mention has.
    links : the probability that two parts are neighbours in one entity; those above a half count.
    types : the types' names, by number.
    """
    fragments = {place: fragments_of(span) for place, span in spans.items()}
    best: Dict[Entity, float] = {}
    parts: Dict[int, Dict[int, float]] = {}
    for mention in mentions:
        if mention.is_part:
            parts.setdefault(mention.type, {})[mention.place] = mention.score
        else:
            best[Entity(types[mention.type], fragments[mention.place])] = mention.score
    certain = [link for link, probability in links.items() if probability > 0.5]
    for type, scores in parts.items():
        for path in paths(scores, certain):
            score = prod(scores[place] for place in path) * prod(links[link] for link in zip(path, path[1:]))
            entity = whole(types[type], path, fragments)
            best[entity] = max(score, best.get(entity, 0.0))
    return sorted(best.items(), key=lambda scored: (scored[0].start, -scored[0].end, scored[0].type))
