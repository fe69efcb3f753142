"""
Sentences in the format of W2NER and later research code: one JSON list of

    {"sentence": ["sharp", "and", "dull", "pain"], "ner": [{"index": [0, 3], "type": "ADR"}]}

`index` lists the token indices of an entity, from 0; a gap makes the entity discontinuous.
"""

from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Sentence, Span
from ner_zoo.data.corpora.annotated_text import Mention
from ner_zoo.data.corpora.json_lines import checked, get
from ner_zoo.data.corpora.tokenised_text import sentence_of
from ner_zoo.data.repairs import Repairs


def sentence_of_indices(record: dict[str, Any], repairs: Repairs, source: str) -> Sentence:
    """The sentence of one record; word pieces and word ids, which some files add, are ignored."""
    tokens = [checked(token, str, "a token", source) for token in get(record, "sentence", list, source)]
    mentions: dict[str, Mention] = {}
    for number, value in enumerate(get(record, "ner", list, source, default=[])):
        entity = checked(value, dict, "an entity", source)
        listed = get(entity, "index", list, source)
        indices = [checked(index, int, "a token index", source) for index in listed]
        if not indices or min(indices) < 0 or max(indices) >= len(tokens):
            raise ConfigurationError(
                f"{source}: an entity has the token indices {indices}, but the sentence has {len(tokens)} tokens. "
                "Indices must start at 0."
            )
        mentions[str(number)] = Mention(get(entity, "type", str, source), runs(indices), source)
    return sentence_of(tokens, mentions, [], repairs, source)


def runs(indices: list[int]) -> tuple[Span, ...]:
    """Groups indices into half-open spans, one per run: [0, 1, 3] -> (0, 2), (3, 4)."""
    spans: list[Span] = []
    for index in sorted(set(indices)):
        if spans and spans[-1][1] == index:
            spans[-1] = (spans[-1][0], index + 1)
        else:
            spans.append((index, index + 1))
    return tuple(spans)
