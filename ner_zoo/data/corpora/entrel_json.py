"""
A sentence in the JSON of entrel-joint-mrt (ACE05, NYT). Tokens are `sentText` split at every single space; offsets are
half-open token offsets:

    {"sentText": "Jane Roe visits Lima .",
     "entityMentions": [{"emId": "E1-2", "text": "Jane Roe", "offset": [0, 2], "label": "PER"},
                        {"emId": "E4-9", "text": "Lima", "offset": [3, 4], "label": "GPE"}],
     "relationMentions": [{"em1Id": "E1-2", "em2Id": "E4-9", "em1Text": "Jane Roe", "em2Text": "Lima",
                           "label": "PHYS"}]}

A relation refers to its arguments by id; if ids repeat or are missing, by text.
"""

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.annotated_text import Link, Mention
from ner_zoo.data.corpora.json_lines import Record, checked, get, integers
from ner_zoo.data.corpora.tokenised_text import sentence_of
from ner_zoo.data.repairs import Repairs

# The label of an unrelated pair.
NO_RELATION = "None"


def is_entrel(record: Record) -> bool:
    """Whether the record's entities have offsets, which the original form does not."""
    mentions = record.get("entityMentions")
    return isinstance(mentions, list) and any(isinstance(m, dict) and "offset" in m for m in mentions)


def sentence_of_record(record: Record, repairs: Repairs, source: str) -> Sentence:
    """The sentence of one line."""
    tokens = get(record, "sentText", str, source).strip("\r\n").split(" ")
    mentions: dict[str, Mention] = {}
    names: list[tuple[str, str, str]] = []
    for number, value in enumerate(get(record, "entityMentions", list, source, default=[])):
        mention = checked(value, dict, "an entity", source)
        start, end = integers(mention.get("offset"), '"offset"', source, 2)
        mentions[str(number)] = Mention(get(mention, "label", str, source), ((start, end),), source)
        names.append((str(mention.get("emId")), str(mention.get("text")), str(number)))
    links = []
    for value in get(record, "relationMentions", list, source, default=[]):
        relation = checked(value, dict, "a relation", source)
        label = relation_label(relation, source)
        if label is None:
            continue
        head, tail = (_key(relation, argument, names) for argument in ("em1", "em2"))
        links.append(Link(label, head, tail, source))
    return sentence_of(tokens, mentions, links, repairs, source)


def relation_label(relation: Record, source: str) -> str | None:
    """The label of a relation; `None` for no relation."""
    label = relation.get("label")
    if label is None or label == NO_RELATION:
        return None
    return checked(label, str, "the label of a relation", source)


def _key(relation: Record, argument: str, names: list[tuple[str, str, str]]) -> str:
    """The key of an argument's mention: matched by id and text, else by id, else by text."""
    id, text = str(relation.get(f"{argument}Id")), str(relation.get(f"{argument}Text"))
    fits = [((i == id) + 0.5 * (t == text), key) for i, t, key in names if i == id or t == text]
    # max() returns the first of equal elements.
    return max(fits, key=lambda fit: fit[0])[1] if fits else ""
