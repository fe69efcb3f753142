"""
The frame of a report: a header with a theme switch, links to the sections, the sections, and a footer.

Styles, script and pictures are embedded. The page may run only its own script, and loads nothing.
"""

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ner_zoo.rendering.marks import attribute
from ner_zoo.rendering.render import STATIC as SERVICE_STATIC

STATIC = Path(__file__).parent / "static"


class Section(NamedTuple):
    """html : empty if the section is to be left out."""

    name: str
    title: str
    html: str


def document(title: str, heading: str, sections: Sequence[Section], end: str) -> str:
    """The whole file. title : window title. end : HTML after all sections."""
    parts = [part for part in sections if part.html]
    links = "".join(f'<li><a href="#{part.name}">{part.title}</a></li>' for part in parts)
    body = "".join(
        f'<section id="{part.name}" aria-labelledby="title-{part.name}"><h2 id="title-{part.name}">{part.title}</h2>'
        f"{part.html}</section>"
        for part in parts
    )
    return _file(
        title,
        f'<a class="skip" href="#summary">To the report</a><header><h1>{heading}</h1>'
        '<button type="button" id="theme" aria-label="Light or dark"><span></span></button></header>'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav><main>{body}{end}</main>',
    )


def footer(command: str, files: str) -> str:
    """How the report was created, and which files accompany it."""
    again = f"<p>Created with</p><pre><code>{attribute(command)}</code></pre>" if command else ""
    return f"<footer>{again}<p>{files}</p></footer>"


def _file(title: str, body: str) -> str:
    styles = "".join(
        path.read_text(encoding="utf-8") for path in (SERVICE_STATIC / "annotation.css", STATIC / "report.css")
    )
    script = "".join(path.read_text(encoding="utf-8") for path in (SERVICE_STATIC / "arcs.js", STATIC / "report.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{attribute(title)}</title>'
        f'<link rel="icon" href="data:,"><style>{styles}</style></head>'
        f"<body>{body}<script>{script}</script></body></html>\n"
    )
