"""
Parses the markup of one HAREM document tag by tag, because it may not be well-formed.

A category `A|B` means that the annotators left the choice open: the span becomes one entity of each type. Of the
alternatives in `<ALT>one | other</ALT>` the first is used. `<OMITIDO>` is text excluded from the evaluation: entities
marked in it are kept, the rest counts as unannotated.
"""

import re
from collections import Counter
from dataclasses import dataclass
from xml.sax.saxutils import unescape

from ner_zoo.data.corpora.annotated_text import AnnotatedText, Mention
from ner_zoo.data.repairs import Repairs

CATEGORIES = frozenset(
    (
        "PESSOA",
        "ORGANIZACAO",
        "LOCAL",
        "TEMPO",
        "VALOR",
        "OBRA",
        "ABSTRACCAO",
        "ACONTECIMENTO",
        "COISA",
        "VARIADO",
        "OUTRO",
    )
)
# Elements whose content is not part of the text, and elements that end a paragraph.
HEADERS = frozenset(("DOCID", "GENERO", "ORIGEM"))
BLOCKS = frozenset(("DOC", "TEXTO", "P", "COLHAREM"))
# Ends a paragraph without being a line of the file, so that lines can still be counted.
PARAGRAPH_END = "\u2029\u2029"

TAG = re.compile(r"<(?P<slash>/?)(?P<name>[A-Za-z][\w|]*)(?P<attributes>(?:\s[^<>]*)?)>|<[!?][^<>]*>")
CATEGORY = re.compile(r'\sCATEG\s*=\s*"([^"]*)"')


@dataclass
class _Element:
    """An open element: its categories, if it is an entity, and where it starts in the text and in the file."""

    name: str
    categories: tuple[str, ...]
    start: int
    source: str
    # For an <ALT>: the first alternative is complete.
    is_past_first: bool = False


class Markup:
    """Parses one document, given the line of the file where it starts."""

    def __init__(self, file: str, first_line: int, repairs: Repairs) -> None:
        self._document = AnnotatedText("", f"{file}:{first_line}", has_lines=True)
        self._file = file
        self._line = first_line
        self._repairs = repairs
        self._pieces: list[str] = []
        self._length = 0
        self._open: list[_Element] = []
        self._open_names: Counter = Counter()
        # The number of open elements whose content is hidden: headers, and alternatives after the first.
        self._hidden = 0

    def read(self, markup: str) -> AnnotatedText:
        """The text of the document with its entities."""
        position = 0
        for tag in TAG.finditer(markup):
            self._text(markup[position : tag.start()])
            position = tag.end()
            if tag["name"] is not None:
                self._tag(tag)
            self._line += tag[0].count("\n")
        self._text(markup[position:])
        while self._open:
            self._pop()
        self._document.text = "".join(self._pieces)
        return self._document

    @property
    def _source(self) -> str:
        return f"{self._file}:{self._line}"

    def _text(self, raw: str) -> None:
        if self._open and self._open[-1].name == "ALT" and not self._open[-1].is_past_first and "|" in raw:
            self._append(raw.partition("|")[0])
            self._open[-1].is_past_first = True
            self._hidden += 1
            self._repairs.add("first of several alternatives used (ALT)", self._source)
        else:
            self._append(raw)
        self._line += raw.count("\n")

    def _append(self, raw: str) -> None:
        if not self._hidden:
            text = unescape(raw, {"&quot;": '"', "&apos;": "'"})
            self._pieces.append(text)
            self._length += len(text)

    def _tag(self, tag: "re.Match[str]") -> None:
        name = tag["name"].upper()
        is_category = all(part in CATEGORIES for part in name.split("|"))
        if name in BLOCKS:
            self._append(PARAGRAPH_END)
        elif not is_category and name not in HEADERS and name not in ("EM", "ALT", "OMITIDO"):
            self._repairs.add("unknown tag kept as text", self._source)
            self._append(tag[0])
        elif tag["slash"]:
            self._close(name)
        else:
            self._push(name, self._categories(name, tag["attributes"], is_category))

    def _categories(self, name: str, attributes: str, is_category: bool) -> tuple[str, ...]:
        if name == "EM":
            category = CATEGORY.search(attributes)
            if category is None or not category[1].strip("| "):
                self._repairs.add("entity without a category left out", self._source)
                return ()
            name = category[1]
        elif not is_category:
            return ()
        categories = tuple(dict.fromkeys(part.strip() for part in name.split("|") if part.strip()))
        if len(categories) > 1 and not self._hidden:
            self._repairs.add(
                "additional category of an entity read as another entity", self._source, len(categories) - 1
            )
        return categories

    def _push(self, name: str, categories: tuple[str, ...]) -> None:
        if categories and self._hidden:
            self._repairs.add("entity in another alternative left out (ALT)", self._source)
            categories = ()
        self._open.append(_Element(name, categories, self._length, self._source))
        self._open_names[name] += 1
        self._hidden += name in HEADERS

    def _close(self, name: str) -> None:
        if not self._open_names[name]:
            self._repairs.add("closing tag without an opening one ignored", self._source)
            return
        while self._open[-1].name != name:
            self._pop()
        element = self._pop(is_closed=True)
        end = self._length
        for category in element.categories:
            key = str(len(self._document.mentions))
            self._document.mentions[key] = Mention(category, ((element.start, end),), element.source)
        if name == "OMITIDO":
            self._repairs.add("text excluded from the evaluation treated as unannotated (OMITIDO)", element.source)
            self._document.unknown.append((element.start, end))

    def _pop(self, is_closed: bool = False) -> _Element:
        element = self._open.pop()
        self._open_names[element.name] -= 1
        self._hidden -= (element.name in HEADERS) + element.is_past_first
        if not is_closed and element.categories:
            self._repairs.add("unclosed entity left out", element.source)
        return element
