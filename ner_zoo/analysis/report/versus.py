"""
Gold compared with predicted: the same words twice, each with the entities of one side.

Long texts are cut around the relevant part. Everything is rendered like on the page, in the report's colours.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ner_zoo.rendering.marks import attribute, marked_text

# Characters to keep on either side of the relevant part.
CONTEXT = 70

Mention = Mapping[str, Any]


def versus(text: str, sides: Mapping[str, Sequence[Mention]], colours: Mapping[str, int]) -> str:
    """One line per side, by name; a side without entities says so instead of repeating the text."""
    kept, moved = excerpt(text, sides)
    lines = []
    for name, mentions in moved.items():
        text = f'<div class="nz"><div class="nz-text" dir="auto">{marked_text(kept, mentions, colours)}</div></div>'
        lines.append(_side(name, text if mentions else '<span class="nothing">nothing</span>'))
    return f'<div class="versus">{"".join(lines)}</div>'


def _side(name: str, html: str) -> str:
    return f'<div class="side {attribute(name)}"><b>{attribute(name)}</b>{html}</div>'


def excerpt(text: str, sides: Mapping[str, Sequence[Mention]]) -> tuple[str, dict[str, list[Mention]]]:
    """The text around all mentions, cut at spaces, and the mentions with their offsets in it."""
    every = [mention for mentions in sides.values() for mention in mentions]
    first = min((mention["start"] for mention in every), default=0)
    last = max((mention["end"] for mention in every), default=0)
    start, end = max(0, first - CONTEXT), min(len(text), last + CONTEXT)
    if start:
        blank = text.find(" ", start, first)
        start = blank + 1 if blank >= 0 else start
    if end < len(text):
        blank = text.rfind(" ", last, end)
        end = blank if blank >= 0 else end
    before, after = "… " if start else "", " …" if end < len(text) else ""
    shift = len(before) - start
    moved: dict[str, list[Mention]] = {}
    for name, mentions in sides.items():
        places = [[[first + shift, last + shift] for first, last in mention["fragments"]] for mention in mentions]
        moved[name] = [{**mention, "fragments": place} for mention, place in zip(mentions, places)]
    return before + text[start:end] + after, moved


def whole(prediction: Mapping[str, Any], name: str, colours: Mapping[str, int]) -> str:
    """A whole sentence with all its entities, and its relations as arcs, or as a table without JavaScript."""
    entities, relations = prediction["entities"], prediction.get("relations", [])
    text = marked_text(prediction["text"], entities, colours)
    has_arcs = ' data-arcs="true"' if relations else ""
    rows = "".join(_relation(relation, entities) for relation in relations)
    listed = f'<table class="nz-relations"><tbody>{rows}</tbody></table>' if rows else ""
    return _side(name, f'<div class="nz"><div class="nz-text" dir="auto"{has_arcs}>{text}</div>{listed}</div>')


def _relation(relation: Mapping[str, Any], entities: Sequence[Mention]) -> str:
    head, tail = (attribute(entities[relation[end]]["text"]) for end in ("head", "tail"))
    places = " ".join(f'data-{key}="{attribute(relation[key])}"' for key in ("head", "tail", "type"))
    type = attribute(relation["type"])
    return (
        f'<tr {places} data-score="1"><td>{head}</td><td class="nz-arrow"><span>{type}</span></td><td>{tail}</td></tr>'
    )
