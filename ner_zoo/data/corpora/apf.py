"""
ACE annotation in the LDC's format, `doc.apf.xml`.

    <entity TYPE="PER"><entity_mention ID="E1-2">
        <extent><charseq START="10" END="30">the visitor Jane Roe</charseq></extent>
        <head><charseq START="23" END="30">Jane Roe</charseq></head></entity_mention></entity>
    <relation TYPE="PHYS"><relation_mention>
        <relation_mention_argument REFID="E1-2" ROLE="Arg-1"/>
        <relation_mention_argument REFID="E4-9" ROLE="Arg-2"/></relation_mention></relation>

END is the offset of the last character. Values, times and events are ignored.
"""

from dataclasses import dataclass, field
from xml.parsers import expat

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Span
from ner_zoo.data.corpora import text_file
from ner_zoo.data.corpora.annotated_text import Link
from ner_zoo.data.repairs import Repairs

# A relation between two readings of one name, which is not part of the task.
NOT_A_RELATION = "METONYMY"


@dataclass
class ApfMention:
    """A mention with the character spans and the texts of its `extent` and its `head`."""

    type: str
    source: str
    spans: dict[str, Span] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


class Apf:
    """The contents of one `.apf.xml`: mentions by id, and links between them."""

    def __init__(self, file: str, repairs: Repairs) -> None:
        self.mentions: dict[str, ApfMention] = {}
        self.links: list[Link] = []
        self._file = file
        self._repairs = repairs
        # The type of the current entity or relation, its mention, the current part of it, and the text collected so
        # far.
        self._type = ""
        self._mention: ApfMention | None = None
        self._part = ""
        self._text: list[str] = []
        self._arguments: dict[str, str] = {}
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text_inside
        self._parser.EntityDeclHandler = self._refuse_declaration
        self._read()

    def _read(self) -> None:
        try:
            with text_file.open_bytes(self._file) as handle:
                self._parser.ParseFile(handle)
        except text_file.READ_ERRORS as error:
            raise text_file.unreadable(self._file, self._parser.CurrentLineNumber, error) from None
        except (expat.ExpatError, LookupError, ValueError) as error:
            raise ConfigurationError(
                f"{self._source} is not well-formed XML ({error}). Expected an ACE annotation. Check that the file is "
                f"complete."
            ) from None

    @property
    def _source(self) -> str:
        return f"{self._file}:{self._parser.CurrentLineNumber}"

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name in ("entity", "relation"):
            self._type = self._attribute(attributes, "TYPE", name)
        elif name == "entity_mention":
            self._mention = ApfMention(self._type, self._source)
            self.mentions[self._attribute(attributes, "ID", name)] = self._mention
        elif name in ("head", "extent"):
            self._part = name
        elif name == "charseq" and self._mention is not None:
            start, last = (self._number(attributes, key) for key in ("START", "END"))
            self._mention.spans[self._part] = (start, last + 1)
            self._text = []
        elif name == "relation_mention":
            self._arguments = {}
        elif name == "relation_mention_argument":
            self._arguments[attributes.get("ROLE", "")] = self._attribute(attributes, "REFID", name)

    def _end(self, name: str) -> None:
        if name == "charseq" and self._mention is not None:
            self._mention.texts[self._part] = "".join(self._text)
        elif name == "entity_mention":
            self._mention = None
        elif name == "relation_mention":
            self._add_relation()

    def _add_relation(self) -> None:
        if self._type == NOT_A_RELATION:
            self._repairs.add(f"relation of type {NOT_A_RELATION} left out", self._source)
        elif "Arg-1" not in self._arguments or "Arg-2" not in self._arguments:
            self._repairs.add("relation without two arguments left out", self._source)
        else:
            self.links.append(Link(self._type, self._arguments["Arg-1"], self._arguments["Arg-2"], self._source))

    def _text_inside(self, text: str) -> None:
        if self._mention is not None:
            self._text.append(text)

    def _attribute(self, attributes: dict[str, str], key: str, name: str) -> str:
        if key not in attributes:
            raise ConfigurationError(f"{self._source}: the element {name} has no {key}; it has {sorted(attributes)}.")
        return attributes[key]

    def _number(self, attributes: dict[str, str], key: str) -> int:
        value = self._attribute(attributes, key, "charseq")
        if not (value.isascii() and value.isdigit() and len(value) < 13):
            raise ConfigurationError(f"{self._source}: {key} must be a character offset, but is {value[:40]!r}.")
        return int(value)

    def _refuse_declaration(self, name: str, *_: object) -> None:
        # A few lines of declarations can expand to gigabytes, and ACE files contain none.
        raise ConfigurationError(
            f"{self._source} declares the XML entity {name!r}, which ACE files do not use. Remove the declaration."
        )
