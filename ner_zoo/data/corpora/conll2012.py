"""
OntoNotes 5 in CoNLL-2012 format: columns padded with spaces, entities as brackets in the eleventh column.

    #begin document (nw/xx/00/xx_0001); part 000
    nw/xx/00/xx_0001   0   0   Ada      NNP   (TOP(S(NP*   -   -   -   -   (PERSON*   -
    nw/xx/00/xx_0001   0   1   Lovelace NNP             *) -   -   -   -          *)  -

    #end document

`(TYPE*` opens, `*` continues, `*)` closes, `(TYPE)` is a single word. The Bible (`/pt/`) has no entity annotation and
is left out.
"""

import glob
import os
import re
from collections.abc import Iterator

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.corpora.blocks import Block, blocks, check_width
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.repairs import Repairs

WORD, ENTITY = 3, 10
BRACKETS = re.compile(r"(\([^()*]+)*\*?\)*")
# Full stops and question marks in transcribed speech.
ESCAPED = {"/.": ".", "/?": "?"}


@Corpus.register("ontonotes")
class OntoNotes(Corpus):
    patterns = ("*gold_conll",)

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        return "it begins with #begin document" if sample.text.startswith("#begin document") else None

    @overrides
    def files(self, path: str) -> list[str]:
        try:
            found = super().files(path)
        except ConfigurationError:
            skeletons = glob.glob(os.path.join(glob.escape(path), "**", "*_skel"), recursive=True)
            if skeletons:
                raise _without_words(skeletons[0], 1) from None
            raise
        kept = [file for file in found if "/pt/" not in file.replace("\\", "/")]
        if not kept:
            raise ConfigurationError(
                f"Every corpus file at {path} is in /pt/, the Bible, which has no entity annotation. Use other genres."
            )
        return kept

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        if file.removesuffix(".gz").endswith("_skel"):
            raise _without_words(file, 1)
        for block in blocks(file, self.encoding, repairs, lambda row: row.startswith("#")):
            fields = [_fields(row) for row in block.rows]
            check_width(fields, ENTITY + 1, block, file)
            words = [row[WORD] for row in fields]
            if "[WORD]" in words:
                raise _without_words(file, block.line + words.index("[WORD]"))
            entities = _entities([row[ENTITY] for row in fields], block, file, repairs)
            tokens = tuple(ESCAPED.get(word, word) for word in words)
            yield Sentence(tokens, tuple(entities), source=f"{file}:{block.line}")


def _fields(row: str) -> list[str]:
    # A no-break space may be part of a word, but not in ASCII text.
    return row.split() if row.isascii() else [field for field in row.replace("\t", " ").split(" ") if field]


def _entities(cells: list[str], block: Block, file: str, repairs: Repairs) -> list[Entity]:
    """The entities of one sentence. An unmatched bracket is closed or ignored, and counted."""
    entities: list[Entity] = []
    is_open: list[tuple[str, int]] = []
    for position, cell in enumerate(cells):
        if cell == "*":
            continue
        source = f"{file}:{block.line + position}"
        if not BRACKETS.fullmatch(cell):
            raise ConfigurationError(
                f"{source} has {cell[:60]!r} in column {ENTITY + 1}, where an entity bracket "
                "is expected: (TYPE*, *, *) or (TYPE)."
            )
        is_open += [(type, position) for type in cell.rstrip("*)").split("(")[1:]]
        for _ in range(cell.count(")")):
            if is_open:
                type, start = is_open.pop()
                entities.append(Entity.of(type, start, position + 1))
            else:
                repairs.add("closing bracket without an opening one", source)
    for type, start in is_open:
        repairs.add("entity closed at the end of the sentence", f"{file}:{block.line + start}")
        entities.append(Entity.of(type, start, len(cells)))
    return list(dict.fromkeys(entities))


def _without_words(file: str, line: int) -> ConfigurationError:
    return ConfigurationError(
        f"{file}:{line} contains no words: a `_skel` file must first be merged with the OntoNotes 5 release "
        f"(skeleton2conll). Use the resulting `_conll` file."
    )
