"""
CoNLL-U with entity tags in its last column, MISC:

    # text = Ada moved.
    1	Ada	Ada	PROPN	_	_	2	nsubj	_	NER=B-PER
    2	moved	move	VERB	_	_	0	root	_	SpaceAfter=No
    3	.	.	PUNCT	_	_	2	punct	_	_

A token without a tag is O. Rows of multi-word tokens (1-2) and empty nodes (1.1) are not tokens.
"""

from collections import Counter
from collections.abc import Iterator

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence, Span
from ner_zoo.data.corpora.blocks import Block, blocks
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.tag_column import TagColumn
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.tag_schemes import OUTSIDE

KEYS = ("NER", "ner", "NE", "ne", "NamedEntity", "Ner", "BIO")
COLUMNS = 10
FORM, MISC = 1, 9


@Corpus.register("conllu")
class Conllu(Corpus):
    """
    key : key of the tags in MISC, if it is not a common one such as NER.
    scheme : tag scheme (default: detected automatically).
    encoding : encoding of the files (default: detected automatically).
    """

    patterns = ("*.conllu",)

    def __init__(self, key: str | None = None, scheme: str | None = None, encoding: str | None = None) -> None:
        self.keys = KEYS if key is None else (key,)
        self.scheme = scheme
        super().__init__(encoding)

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        rows = [line.split("\t") for line in sample.rows if not line.startswith("#")]
        is_ours = all(len(row) == COLUMNS and row[0][:1].isdigit() for row in rows) and any(
            row[0] == "1" for row in rows
        )
        return "its rows are numbered and have 10 columns" if is_ours else None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        column = TagColumn(file, repairs, self.scheme)
        seen: Counter = Counter()
        for block in blocks(file, self.encoding, repairs, lambda row: row.startswith("#")):
            rows, is_text = _words(block, file)
            if not rows:
                repairs.add("sentence without words left out", f"{file}:{block.line}")
                continue
            misc = [_misc(fields[MISC]) for fields in rows]
            for values in misc:
                seen.update(values.keys())
            tags = [next((values[key] for key in self.keys if key in values), OUTSIDE) for values in misc]
            tokens = tuple(fields[FORM] for fields in rows)
            text, offsets = _text(tokens, misc) if is_text else (None, None)
            entities = tuple(column.entities(tags, block.line))
            yield Sentence(tokens, entities, text=text, offsets=offsets, source=f"{file}:{block.line}")
        column.finish()
        if seen and not any(key in seen for key in self.keys):
            raise ConfigurationError(
                f"{file}:1 has no {' or '.join(self.keys)} in MISC; it has {', '.join(list(seen)[:12])}. Set `key` to "
                f"the key "
                "of the entity tags."
            )


def _words(block: Block, file: str) -> tuple[list[list[str]], bool]:
    """The rows that are words, and whether the text equals their forms, which multi-word tokens rule out."""
    rows: list[list[str]] = []
    is_text = True
    for offset, row in enumerate(block.rows):
        fields = row.split("\t")
        number = fields[0]
        if len(fields) != COLUMNS or not number.replace("-", "").replace(".", "").isdecimal() or not fields[FORM]:
            raise ConfigurationError(
                f"{file}:{block.line + offset} is not a CoNLL-U row (a number, a form, {COLUMNS} columns in total, "
                f"separated by tabs): {row[:60]!r}."
            )
        if "-" in number:
            is_text = False
        elif "." not in number:
            rows.append(fields)
    return rows, is_text


def _misc(field: str) -> dict[str, str]:
    """Parses `NER=B-PER|SpaceAfter=No` into a dictionary; a bare word is a key without a value."""
    return {} if field == "_" else dict(part.partition("=")[::2] for part in field.split("|"))


def _text(tokens: tuple[str, ...], misc: list[dict[str, str]]) -> tuple[str, tuple[Span, ...]]:
    text, offsets = "", []
    for token, values in zip(tokens, misc):
        offsets.append((len(text), len(text) + len(token)))
        text += token if values.get("SpaceAfter") == "No" else token + " "
    return text.removesuffix(" ") if misc and misc[-1].get("SpaceAfter") != "No" else text, tuple(offsets)
