"""
Sentences in the format of W2NER and later research code: one JSON list of

    {"sentence": ["sharp", "and", "dull", "pain"], "ner": [{"index": [0, 3], "type": "ADR"}]}

`index` lists the token indices of an entity, from 0; a gap makes the entity discontinuous.
"""

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.annotated_text import Mention, joined
from ner_zoo.data.corpora.json_lines import Record, checked, get
from ner_zoo.data.corpora.tokenised_text import sentence_of
from ner_zoo.data.repairs import Repairs


def sentence_of_indices(record: Record, repairs: Repairs, source: str) -> Sentence:
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
        fragments = joined((index, index + 1) for index in indices)
        mentions[str(number)] = Mention(get(entity, "type", str, source), tuple(fragments), source)
    return sentence_of(tokens, mentions, [], repairs, source)
