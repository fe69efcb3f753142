"""
Renders a prediction as HTML: a pure function of the predictor's output.

    legend, text with coloured boxes, a table of relations

The result is self-contained: it includes its styles, needs no script, loads nothing, and can be embedded in a notebook,
a report or a page. If scripts may run, one draws the relations as arcs above the text. The service's page shows the
same HTML without styles and script, which it already has.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ner_zoo.rendering.marks import attribute, marked_text, written
from ner_zoo.rendering.palette import colours

STATIC = Path(__file__).parent / "static"


def to_html(prediction: Mapping[str, Any]) -> str:
    """The figure with its styles, and a script if there are arcs to draw."""
    html = figure(prediction)
    script = f"<script>{_asset('arcs.js')}\nnerZooDrawArcs();</script>" if "data-arcs" in html else ""
    return f"<style>{_asset('annotation.css')}</style>{html}{script}"


def to_document(prediction: Mapping[str, Any], title: str = "Annotated text") -> str:
    """A complete HTML file."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{attribute(title)}</title></head><body class="nz-document">{to_html(prediction)}</body></html>\n'
    )


def figure(prediction: Mapping[str, Any]) -> str:
    """The HTML without styles, for use with `annotation.css`."""
    if "error" in prediction:
        return f'<figure class="nz"><p class="nz-error">{attribute(prediction["error"])}</p></figure>'
    entities = prediction["entities"]
    chosen = colours(entity["type"] for entity in entities)
    text = marked_text(prediction["text"], entities, chosen)
    relations = prediction.get("relations", [])
    has_gaps = any(len(entity["fragments"]) > 1 for entity in entities)
    has_arcs = ' data-arcs="true"' if relations or has_gaps else ""
    parts = [
        _legend(entities, chosen),
        f'<div class="nz-text" dir="auto"{has_arcs}>{text}</div>',
        _relations(relations, entities, chosen),
    ]
    return f'<figure class="nz">{"".join(parts)}</figure>'


def _legend(entities: list[Mapping[str, Any]], chosen: Mapping[str, int]) -> str:
    counts = Counter(entity["type"] for entity in entities)
    keys = [
        f'<li class="nz-key nz-c{chosen[type]}" data-type="{attribute(type)}">{attribute(type)} <b>{count}</b></li>'
        for type, count in sorted(counts.items())
    ]
    return f'<ul class="nz-legend">{"".join(keys)}</ul>' if keys else ""


def _relations(relations: list[Mapping[str, Any]], entities: list[Mapping[str, Any]], chosen: Mapping[str, int]) -> str:
    if not relations:
        return ""
    rows = []
    for relation in relations:
        ends = [entities[relation["head"]], entities[relation["tail"]]]
        cells = [
            f'<td><span class="nz-end nz-c{chosen[end["type"]]}">{attribute(end.get("text", ""))}</span></td>'
            for end in ends
        ]
        score = relation.get("score", 1.0)
        attributes = written(
            {**{f"data-{key}": relation[key] for key in ("head", "tail", "type")}, "data-score": score}
        )
        arrow = f'<td class="nz-arrow"><span>{attribute(relation["type"])}</span></td>'
        rows.append(f"<tr{attributes}>{cells[0]}{arrow}{cells[1]}<td>{score:.1%}</td></tr>")
    return f'<table class="nz-relations"><tbody>{"".join(rows)}</tbody></table>'


@cache
def _asset(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")
