"""
ACE documents from the LDC: `doc.sgm` contains the text, `doc.apf.xml` the annotation.

Offsets count the characters of the SGML without its tags, including line ends. It is not specified whether CR LF and
`&amp;` count as one character: the interpretation under which most mentions match their text is used.
"""

import html
import os
import re

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Span
from ner_zoo.data.corpora import text_file
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Mention
from ner_zoo.data.corpora.apf import Apf, ApfMention
from ner_zoo.data.corpora.standoff import partner
from ner_zoo.data.repairs import Repairs

APF = ".apf.xml"
SGM = ".sgm"
ACE = "an ACE document"
TAG = re.compile(r"<[^<>]*>")
BODY_TAG = re.compile(r"</?BODY>", re.IGNORECASE)
# The LDC ships each document once per annotation round; later rounds are better.
ROUNDS = ("timex2norm", "adj", "fp1", "fp2")


def annotation_file(file: str) -> str:
    """The annotation file of a document, given either of its files; any other file is returned unchanged."""
    return partner(file, SGM, APF, ACE) if file.removesuffix(".gz").endswith(SGM) else file


def latest_rounds(files: list[str]) -> list[str]:
    """The files without earlier annotation rounds of the same document."""
    best: dict[str, tuple[int, str]] = {}
    for file in files:
        folder, name = os.path.split(file)
        round = os.path.basename(folder)
        rank = ROUNDS.index(round) if round in ROUNDS else -1
        # Outside these folders, files with the same name are different documents.
        key = name if rank >= 0 else file
        best[key] = min(best.get(key, (rank, file)), (rank, file))
    kept = {file for _, file in best.values()}
    return [file for file in files if file in kept]


def read_document(file: str, part: str, encoding: str | None, repairs: Repairs) -> tuple[AnnotatedText, Span]:
    """The document of an annotation file, with mentions marked by `head` or `extent`, and the span of its body."""
    apf = Apf(file, repairs)
    sgm_file = partner(file, APF, SGM, ACE)
    sgm = text_file.read_text(sgm_file, encoding, repairs)
    text, body = _best_reading(sgm, sgm_file, list(apf.mentions.values()), repairs)
    document = AnnotatedText(text, f"{sgm_file}:1", links=apf.links, has_lines=True)
    for key, mention in apf.mentions.items():
        span = mention.spans.get(part)
        if span is None:
            repairs.add(f"entity without {part} marked by another part", mention.source)
            span = next(iter(mention.spans.values()), (0, 0))
        if span[1] > len(text):
            raise ConfigurationError(
                f"{mention.source} marks characters {span[0]} to {span[1] - 1} of {sgm_file}, which has {len(text)} "
                f"characters without its tags. Check that the text belongs to the annotation."
            )
        document.mentions[key] = Mention(mention.type, (span,), mention.source)
    return document, body


def _best_reading(sgm: str, file: str, mentions: list[ApfMention], repairs: Repairs) -> tuple[str, Span]:
    """The text without tags and its body, in the interpretation that matches the most mentions."""
    lines = sgm.replace("\r\n", "\n")
    readings = (
        ("", sgm, str),
        ("CR LF counts as one character", lines, str),
        ("entity references count as one character", sgm, html.unescape),
        ("CR LF and entity references count as one character", lines, html.unescape),
    )
    texts = [decode(TAG.sub("", markup)) for _, markup, decode in readings]
    misfits = [sum(not _fits(mention, text) for mention in mentions) for text in texts]
    best = misfits.index(min(misfits))
    kind, markup, decode = readings[best]
    tags = [tag.start() for tag in BODY_TAG.finditer(markup)]
    start, end = (tags[0], tags[-1]) if len(tags) > 1 else (0, len(markup))
    before, inside = (decode(TAG.sub("", piece)) for piece in (markup[:start], markup[start:end]))
    if kind:
        repairs.add(kind, f"{file}:1")
    repairs.add("entity whose text does not match the document", f"{file}:1", misfits[best])
    return texts[best], (len(before), len(before) + len(inside))


def _fits(mention: ApfMention, text: str) -> bool:
    """Whether document and annotation agree at these positions, ignoring white space."""
    pairs = ((text[start:end], mention.texts.get(part, "")) for part, (start, end) in mention.spans.items())
    return all("".join(html.unescape(found).split()) == "".join(html.unescape(said).split()) for found, said in pairs)
