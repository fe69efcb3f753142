"""Converts Markdown, such as a model card, to safe HTML: embedded HTML is escaped, and no image is loaded."""

from functools import cache

from markdown_it import MarkdownIt

from ner_zoo.rendering.marks import LONE_SURROGATE


def to_html(text: str) -> str:
    return _parser().render(LONE_SURROGATE.sub("\ufffd", text))


def inline(text: str) -> str:
    """Inline version, for text inside a paragraph or a cell."""
    return _parser().renderInline(LONE_SURROGATE.sub("\ufffd", text))


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
