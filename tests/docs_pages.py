"""Parses the pages of the documentation: fenced blocks, inline code, links, headings and shell commands."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted(DOCS.rglob("*.md"))]
FENCE = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]*?) -->\n)?```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"!?\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
# Separators of commands, and words that are not arguments.
BETWEEN = {"|", ";", "&&", "&"}
REDIRECTIONS = {"<", ">", ">>"}


@dataclass(frozen=True)
class Block:
    """mark : the comment before the fence, if any; line : line of the page, for messages."""

    page: Path
    line: int
    language: str
    mark: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path) -> list[Block]:
    text = text_of(page)
    return [
        Block(page, text.count("\n", 0, found.start("text")), found["language"], found["mark"] or "", found["text"])
        for found in FENCE.finditer(text)
    ]


def prose(page: Path) -> str:
    """A page without its blocks."""
    return FENCE.sub("", text_of(page))


def inline_code(page: Path) -> list[str]:
    return INLINE.findall(prose(page))


def links(page: Path) -> list[str]:
    return LINK.findall(INLINE.sub("", prose(page)))


def anchors(page: Path) -> list[str]:
    """The anchors of headings."""
    titles = (re.sub(r"[^\w\s-]", "", title.replace("`", "")) for title in HEADING.findall(prose(page)))
    return [re.sub(r"\s+", "-", title.strip()).lower() for title in titles]


def commands(text: str) -> Iterator[list[str]]:
    """The commands of a shell block, each as a list of words without redirections and preceding variables."""
    pending = ""
    for line in text.splitlines():
        pending = f"{pending}\n{line}" if pending else line
        if pending.endswith("\\"):
            pending = pending[:-1]
            continue
        try:
            words = shlex.split(pending, comments=True)
        except ValueError:  # a quotation that continues on the next line
            continue
        pending = ""
        yield from _single(words)
    assert not pending, f"A quotation does not end: {pending}"


def _single(words: list[str]) -> Iterator[list[str]]:
    command: list[str] = []
    skip = False
    for word in [*words, ";"]:
        if word in BETWEEN:
            if command:
                yield command
            command = []
        elif skip or word in REDIRECTIONS:
            skip = not skip
        elif command or not re.match(r"^\w+=", word):
            command.append(word)
