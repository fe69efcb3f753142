"""
A sentence in CoType's JSON (NYT). Entities and relation arguments are given only by their text:

    {"sentText": "Jane Roe visits Lima .",
     "entityMentions": [{"start": 0, "text": "Jane Roe", "label": "PERSON"},
                        {"start": 1, "text": "Lima", "label": "LOCATION"}],
     "relationMentions": [{"em1Text": "Jane Roe", "em2Text": "Lima", "label": "/people/person/place_lived"}]}

(`start` is not an offset.) Entities with the same text are matched to its occurrences in turn, longer names before
shorter ones that they contain; a relation refers to the first entity of each text. Spellings may differ (see
`name_matching`). Line ends and double quotes around the sentence are removed. Repairs and unmatched entities are
counted.
"""

from ner_zoo.annotation import Span
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Link, Mention
from ner_zoo.data.corpora.entrel_json import relation_label
from ner_zoo.data.corpora.json_lines import Record, checked, get
from ner_zoo.data.corpora.name_matching import AS_IT_STANDS, NamesInText, matching_names
from ner_zoo.data.repairs import Repairs


def document_of_record(record: Record, repairs: Repairs, source: str) -> AnnotatedText:
    """The sentence of one line as text with character-level mentions."""
    text = _unwrapped(get(record, "sentText", str, source), repairs, source)
    entities = [checked(e, dict, "an entity", source) for e in get(record, "entityMentions", list, source, default=[])]
    names = [get(entity, "text", str, source) for entity in entities]
    labels = [get(entity, "label", str, source) for entity in entities]
    document = AnnotatedText(text, source)
    for number, span in enumerate(_places(text, names, repairs, source)):
        if span is not None:
            document.mentions[str(number)] = Mention(labels[number], (span,), source)
    for value in get(record, "relationMentions", list, source, default=[]):
        relation = checked(value, dict, "a relation", source)
        label = relation_label(relation, source)
        if label is not None:
            head, tail = _arguments(relation, names, repairs, source)
            document.links.append(Link(label, head, tail, source))
    return document


def _unwrapped(text: str, repairs: Repairs, source: str) -> str:
    """The sentence without surrounding white space and without one pair of enclosing double quotes."""
    bare = text.strip()
    if len(bare) > 2 and bare[0] == bare[-1] == '"' and not bare[1].isspace() and not bare[-2].isspace():
        repairs.add("quotes around a sentence removed", source)
        return bare[1:-1].strip()
    return bare


def _places(text: str, names: list[str], repairs: Repairs, source: str) -> list[Span | None]:
    """The position of each name; `None` if it is not in the text."""
    finder = NamesInText(text)
    covered = bytearray(len(text))
    used: dict[str, set] = {}
    places: list[Span | None] = [None] * len(names)
    for number in sorted(range(len(names)), key=lambda i: -len(names[i])):
        name = names[number]
        occurrences, step = finder.occurrences(name)
        if not occurrences:
            repairs.add("entity that is not in its sentence left out", source)
            continue
        if step != AS_IT_STANDS:
            repairs.add(f"entity found {step}", source)
        free = [span for span in occurrences if span not in used.setdefault(name, set())]
        clear = (span for span in free if 1 not in covered[span[0] : span[1]])
        span = next(clear, free[0] if free else occurrences[0])
        places[number] = span
        used[name].add(span)
        covered[span[0] : span[1]] = b"\x01" * (span[1] - span[0])
    return places


def _arguments(relation: Record, names: list[str], repairs: Repairs, source: str) -> list[str]:
    """The keys of a relation's mentions; empty if no entity matches."""
    keys: list[str] = []
    for field in ("em1Text", "em2Text"):
        found, step = matching_names(get(relation, field, str, source), names)
        if found and step != AS_IT_STANDS:
            repairs.add(f"argument of a relation found {step}", source)
        others = [str(place) for place in found if str(place) not in keys]
        keys.append((others or [str(place) for place in found] or [""])[0])
    return keys
