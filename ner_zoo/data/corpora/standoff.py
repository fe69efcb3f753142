"""
brat's standoff format: `doc.txt` contains the text and `doc.ann` the annotation, one per line.

    T1<TAB>PER 0 8<TAB>Jane Roe                 an entity: half-open characters of doc.txt, fragments joined by `;`
    R1<TAB>LIVES_IN Arg1:T1 Arg2:T2             a relation from Arg1 to Arg2

Events, attributes, notes, normalisations and equivalences are ignored. Offsets count Unicode characters, including
every line end of the file. Some tools count CR LF or a byte order mark as one character: the interpretation under which
most entities match their text is used.
"""

import glob
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence, Span
from ner_zoo.data.corpora import text_file
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Link, Mention
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.repairs import Repairs

ENTITY = re.compile(r"(\S+)[ \t]+(\d{1,12}\s\d{1,12}(?:;\d{1,12}\s\d{1,12})*)[ \t]*(?:\t(.*))?", re.DOTALL)
RELATION = re.compile(r"(\S+)[ \t]+[^\s:]+:(\S+)[ \t]+[^\s:]+:(\S+)\s*")
BRAT_ROW = re.compile(r"([TREAMN]\d+|[*#]\d*)\t")
# Events, attributes, modifications, normalisations, notes, equivalences.
PASSED_OVER = "EAMN#*"


@dataclass
class Annotations:
    """The contents of an `.ann` file: mentions and their texts, both by id, and links."""

    mentions: dict[str, Mention] = field(default_factory=dict)
    texts: dict[str, str | None] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)


def read_annotations(file: str, repairs: Repairs, encoding: str | None = None) -> Annotations:
    """The entities and relations of an `.ann` file; unknown lines are counted."""
    annotations = Annotations()
    for number, line in text_file.lines(file, encoding, repairs):
        source = f"{file}:{number}"
        key, tab, rest = line.partition("\t")
        if not line.strip() or (tab and key[:1] in PASSED_OVER) or key[:1] == "#":
            continue
        entity = ENTITY.fullmatch(rest) if key.startswith("T") else None
        relation = RELATION.fullmatch(rest) if key.startswith("R") else None
        if entity and key in annotations.mentions:
            repairs.add("entity with a duplicate id left out", source)
        elif entity:
            annotations.mentions[key] = Mention(entity[1], _fragments(entity[2]), source)
            annotations.texts[key] = entity[3]
        elif relation:
            annotations.links.append(Link(relation[1], relation[2], relation[3], source))
        else:
            repairs.add("line that is not an annotation skipped", source)
    return annotations


def _fragments(spans: str) -> tuple[Span, ...]:
    pairs = (span.split() for span in spans.split(";"))
    return tuple((int(start), int(end)) for start, end in pairs)


def annotated_text(text: str, file: str, annotations: Annotations, repairs: Repairs) -> AnnotatedText:
    """The annotation on its text, in the interpretation under which most entities match their text."""
    keys = list(annotations.mentions)
    misfits = [key for key in keys if not _fits(key, annotations, text)]
    if misfits:
        others = {
            "CR LF counts as one character": text.replace("\r\n", "\n"),
            "byte order mark counts": "\ufeff" + text,
        }
        for kind, other in others.items():
            still = [key for key in keys if not _fits(key, annotations, other)]
            if len(still) < len(misfits):
                repairs.add(kind, f"{file}:1")
                text, misfits = other, still
                break
    document = AnnotatedText(text, f"{file}:1", dict(annotations.mentions), annotations.links, has_lines=True)
    for key in misfits:
        mention = annotations.mentions[key]
        if all(start < end <= len(text) for start, end in mention.fragments):
            repairs.add("entity whose text does not match the document", mention.source)
        elif len(misfits) * 2 > len(keys):
            raise ConfigurationError(
                f"{mention.source} marks characters {list(mention.fragments)} of {file}, which has {len(text)} "
                f"characters. Check that the text belongs to the annotation."
            )
        else:
            repairs.add("entity outside the text left out", mention.source)
            del document.mentions[key]
    return document


def _fits(key: str, annotations: Annotations, text: str) -> bool:
    """Whether text and annotation agree at the offsets, ignoring white space."""
    fragments = annotations.mentions[key].fragments
    if not all(start < end <= len(text) for start, end in fragments):
        return False
    said = annotations.texts[key]
    return said is None or _unspaced(said) == _unspaced("".join(text[start:end] for start, end in fragments))


def _unspaced(text: str) -> str:
    return "".join(text.split())


@Corpus.register("standoff")
class Standoff(RawTextCorpus):
    """Any corpus in brat's format: a directory of pairs, or one of the two files of a pair."""

    patterns: tuple[str, ...] = ("*.ann",)
    view = "spans"
    # Neighbouring folders in which the other file of a pair may be.
    text_folders: tuple[str, ...] = ("text",)
    annotation_folders: tuple[str, ...] = ("original",)

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        if os.path.isdir(sample.file):
            found = glob.glob(f"{glob.escape(sample.file)}/**/*.ann*", recursive=True)
            return "it is a folder of .ann files" if found else None
        if sample.ending == ".txt":
            has_partner = os.path.isfile(os.path.splitext(sample.file)[0] + ".ann")
            return "there is an .ann file next to it" if has_partner else None
        is_ours = sample.ending == ".ann" or (bool(sample.rows) and all(map(BRAT_ROW.match, sample.rows)))
        return "its rows are brat annotations" if is_ours else None

    @overrides
    def files(self, path: str) -> list[str]:
        """The annotation files of a path; a pair that is given by both of its files is read once."""
        found = super().files(path)
        pairs = [file for file in found if _ending(file) in (".ann", ".txt")] or found
        return list(dict.fromkeys(self._annotation_file(file) for file in pairs))

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        annotation_file = self._annotation_file(file)
        annotations = read_annotations(annotation_file, repairs, self.encoding)
        text = partner(annotation_file, _ending(annotation_file), ".txt", "a standoff document", self.text_folders)
        document = annotated_text(text_file.read_text(text, self.encoding, repairs), text, annotations, repairs)
        yield from self.sentences_of(document, repairs)

    def _annotation_file(self, file: str) -> str:
        if _ending(file) == ".ann":
            return file
        return partner(file, _ending(file), ".ann", "a standoff document", self.annotation_folders)


def _ending(file: str) -> str:
    return os.path.splitext(file.removesuffix(".gz"))[1]


def partner(file: str, ending: str, other: str, kind: str, folders: tuple[str, ...] = ()) -> str:
    """The other file of a pair, plain or gzip: in the same folder, or in a neighbouring one of these."""
    directory, name = os.path.split(file.removesuffix(".gz").removesuffix(ending) + other)
    for place in (directory, *(os.path.join(directory, os.pardir, folder) for folder in folders)):
        for packed in ("", ".gz"):
            candidate = os.path.normpath(os.path.join(place, name + packed))
            if os.path.isfile(candidate):
                return candidate
    raise ConfigurationError(
        f"{file}:1 is half of {kind}, but {os.path.join(directory, name)} is missing. Put the text and its annotation "
        "in the same folder."
    )


@Corpus.register("nerel")
class Nerel(Standoff):
    """NEREL, Russian news: nested, crossing and discontinuous entities, relations."""

    view = "joint"


class TokenisedStandoff(Standoff):
    """Standoff over text with one tokenised sentence per line, tokens separated by spaces."""

    tokenizer = "spaces"
    sentence_splitter = "lines"
