"""Markdown, such as a model card, as HTML that is safe to show: HTML in the text stays text, and no image is loaded."""

from functools import cache

from markdown_it import MarkdownIt

from ner_zoo.rendering.marks import LONE_SURROGATE


def to_html(text: str) -> str:
    return _parser().render(LONE_SURROGATE.sub("\ufffd", text))


def inline(text: str) -> str:
    """The same for a text inside a paragraph or a cell."""
    return _parser().renderInline(LONE_SURROGATE.sub("\ufffd", text))


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
