"""
HAREM, Portuguese, in each of its three forms, detected from the beginning of the file.

    <PESSOA|ORGANIZACAO TIPO="...">Acme</PESSOA|ORGANIZACAO>       First HAREM, not well-formed
    <EM ID="x-1" CATEG="PESSOA|ORGANIZACAO">Acme</EM>              Second HAREM
    Acme<TAB>PESSOA                                                columns
"""

import codecs
import re
from collections.abc import Iterator

from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora import text_file
from ner_zoo.data.corpora.columns import ColumnCorpus
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.harem_markup import Markup
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.repairs import Repairs

DECLARED_ENCODING = re.compile(rb'^\s*<\?xml[^>]{0,80}\sencoding=["\']([\w.-]{1,40})["\']')


@Corpus.register("harem")
class Harem(RawTextCorpus):
    """All forms of HAREM; see `RawTextCorpus` for the options."""

    patterns = ("*.txt", "*.xml")

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        beginning = _beginning(file)
        declared = DECLARED_ENCODING.match(beginning)
        encoding = declared[1].decode("ascii") if declared and self.encoding is None else self.encoding
        if not beginning.lstrip().startswith(b"<"):
            # The form of miniHAREM: adjacent tokens of one type are one entity.
            yield from ColumnCorpus(encoding=encoding, tag_column=-1, scheme="IO").sentences(file, repairs)
            return
        for line, document in _documents(file, encoding, repairs):
            yield from self.sentences_of(Markup(file, line, repairs).read(document), repairs)


def _beginning(file: str) -> bytes:
    try:
        with text_file.open_bytes(file) as handle:
            return handle.read(4096).removeprefix(codecs.BOM_UTF8)
    except text_file.READ_ERRORS as error:
        raise text_file.unreadable(file, 1, error) from None


def _documents(file: str, encoding: str | None, repairs: Repairs) -> Iterator[tuple[int, str]]:
    """Yields the markup of each document with its first line, keeping one document in memory."""
    held: list[str] = []
    first = 1
    for number, line in text_file.lines(file, encoding, repairs):
        held.append(line)
        if "</DOC>" in line:
            yield first, "\n".join(held)
            held, first = [], number + 1
    if held:
        yield first, "\n".join(held)
