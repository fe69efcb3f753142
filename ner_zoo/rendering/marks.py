"""
Renders a text with its entities as nested boxes: inline HTML with every character of the text exactly once.

HTML elements can be nested but cannot cross; entities can. Therefore an entity that crosses the end of the enclosing
one is split there and continues after it. A discontinuous entity has one box per fragment, numbered 1/2, 2/2; all boxes
of an entity have its index in `data-entity`, so that the page can find them.
"""

import heapq
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

# Unpaired surrogates cannot be encoded.
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, order=True)
class Box:
    """Sorted from left to right, wider first. `part` is the fragment index; `is_last` marks the box with the label."""

    start: int
    minus_end: int
    entity: int
    part: int = 0
    is_cut: bool = False
    is_last: bool = True

    @property
    def end(self) -> int:
        return -self.minus_end


def marked_text(text: str, entities: Sequence[Mapping[str, Any]], colours: Mapping[str, int]) -> str:
    """The text with its boxes. Offsets are character offsets."""
    text = LONE_SURROGATE.sub("\ufffd", text)
    waiting = [
        Box(start, -end, number, part)
        for number, entity in enumerate(entities)
        for part, (start, end) in enumerate(entity["fragments"])
        if start < end
    ]
    heapq.heapify(waiting)
    html: list[str] = []
    position = 0
    for place, tag in _tags(waiting, entities, colours):
        html += [escape(text[position:place], quote=False), tag]
        position = place
    return "".join([*html, escape(text[position:], quote=False)])


def _tags(
    waiting: list[Box], entities: Sequence[Mapping[str, Any]], colours: Mapping[str, int]
) -> Iterator[tuple[int, str]]:
    """Where each box opens and closes."""
    around: list[Box] = []
    while waiting or around:
        while around and (not waiting or around[-1].end <= waiting[0].start):
            box = around.pop()
            yield box.end, _closing(box, entities[box.entity])
        if waiting:
            box = heapq.heappop(waiting)
            if around and box.end > around[-1].end:
                rest = replace(box, start=around[-1].end, is_cut=True)
                heapq.heappush(waiting, rest)
                box = replace(box, minus_end=-around[-1].end, is_last=False)
            around.append(box)
            yield box.start, _opening(box, entities[box.entity], colours)


def _opening(box: Box, entity: Mapping[str, Any], colours: Mapping[str, int]) -> str:
    score = entity.get("score", 1.0)
    classes = f"nz-e nz-c{colours[entity['type']]} nz-s{round(score * 10)}"
    classes += " nz-cut-left" * box.is_cut + " nz-cut-right" * (not box.is_last)
    attributes: dict[str, Any] = {
        "class": classes,
        "data-entity": box.entity,
        "data-type": entity["type"],
        "data-score": score,
        "title": f"{entity['type']} {score:.1%}",
    }
    if box.part == 0 and not box.is_cut:
        # One tab stop per entity.
        attributes["tabindex"] = 0
    return f"<mark{written(attributes)}>"


def _closing(box: Box, entity: Mapping[str, Any]) -> str:
    if not box.is_last:
        return "</mark>"
    parts = len(entity["fragments"])
    number = f" {box.part + 1}/{parts}" if parts > 1 else ""
    return f'<span class="nz-label">{attribute(entity["type"])}{number}</span></mark>'


def written(attributes: Mapping[str, Any]) -> str:
    """The attributes of a tag."""
    return "".join(f' {name}="{attribute(value)}"' for name, value in attributes.items())


def attribute(value: Any) -> str:
    """Escapes text for use in attributes and between tags."""
    return LONE_SURROGATE.sub("\ufffd", escape(str(value), quote=True))
