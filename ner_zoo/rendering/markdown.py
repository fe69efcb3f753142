"""
The part of Markdown that model cards are written in, as HTML: headings, paragraphs, lists, tables, code.

Everything else is shown as it stands. No HTML of the card gets through.
"""

import re
from typing import Iterator, List

from ner_zoo.rendering.marks import attribute

CODE = re.compile(r"`([^`]+)`")
STRONG = re.compile(r"\*\*([^*]+)\*\*")


def to_html(markdown: str) -> str:
    return "\n".join(_blocks(markdown.split("\n")))


def _blocks(lines: List[str]) -> Iterator[str]:
    position = 0
    while position < len(lines):
        line = lines[position]
        if line.startswith("```"):
            end = next((i for i in range(position + 1, len(lines)) if lines[i].startswith("```")), len(lines))
            yield "<pre><code>" + attribute("\n".join(lines[position + 1 : end])) + "</code></pre>"
            position = end + 1
            continue
        heading = re.match(r"(#{1,4}) (.*)", line)
        if heading:
            level = len(heading[1])
            yield f"<h{level}>{inline(heading[2])}</h{level}>"
            position += 1
            continue
        kind = _kind(line)
        end = next((i for i in range(position, len(lines)) if _kind(lines[i]) != kind), len(lines))
        yield from _block(kind, lines[position:end])
        position = end


def _kind(line: str) -> str:
    if not line.strip():
        return "nothing"
    if re.match(r"```|#{1,4} ", line):
        return "other"
    if line.startswith("|"):
        return "table"
    return "list" if line.startswith("- ") else "paragraph"


def _block(kind: str, lines: List[str]) -> Iterator[str]:
    if kind == "table":
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
        head, *body = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
        yield "<table><thead>" + _row(head, "th") + "</thead><tbody>"
        yield "".join(_row(row, "td") for row in body) + "</tbody></table>"
    elif kind == "list":
        yield "<ul>" + "".join(f"<li>{inline(line[2:])}</li>" for line in lines) + "</ul>"
    elif kind == "paragraph":
        yield f"<p>{inline(' '.join(lines))}</p>"


def _row(cells: List[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{inline(cell)}</{tag}>" for cell in cells) + "</tr>"


def inline(text: str) -> str:
    return STRONG.sub(r"<strong>\1</strong>", CODE.sub(r"<code>\1</code>", attribute(text)))
