"""
CSV with a header, in either of two forms, recognised by the names of the columns.

    Sentence #,Word,Tag                a row per word: a tag for each; the sentence may be named in its first row only,
    Sentence: 1,Ada,B-PER              and without such a column an empty row ends it

    text,start,end,type                a row per entity: half-open characters of the text, which all its rows repeat;
    Ada moved to Lune.,0,3,PER         a text without entities has one row with the other columns empty

The delimiter is a comma, a semicolon, a tab or a bar.
"""

import csv
from collections.abc import Iterator
from typing import NamedTuple

from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Tokenizer
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora import text_file
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.csv_entities import texts_of_rows
from ner_zoo.data.corpora.csv_words import sentences_of_rows
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import SentenceSplitter

DELIMITERS = ",;\t|"
# The usual names of the columns, in lower case, each under our own.
WORD_COLUMNS = {
    "word": ("word", "words", "token", "tokens", "form"),
    "tag": ("tag", "tags", "ner_tag", "ner_tags", "ner", "label", "labels", "entity", "bio", "iob"),
    "sentence": ("sentence", "sentence #", "sentence_id", "sentence id", "sent_id", "sentence_idx", "sent", "sent #"),
}
ENTITY_COLUMNS = {
    "text": ("text", "sentence", "content", "document"),
    "start": ("start", "start_offset", "begin", "start_char", "offset_start"),
    "end": ("end", "end_offset", "stop", "end_char", "offset_end"),
    "type": ("type", "label", "tag", "entity_type", "entity_label", "category"),
    "id": ("id", "text_id", "doc_id", "document_id", "row_id"),
}
OPTIONAL = ("sentence", "id")


class Row(NamedTuple):
    """The values of the columns we know, by our names, and the line on which the row ends; an empty row has none."""

    line: int
    values: dict[str, str]


@Corpus.register("csv")
class Csv(RawTextCorpus):
    """
    columns : names of columns that are not the usual ones, by ours: `{"word": "Wort", "tag": "Etikett"}`.
    delimiter : between columns; detected unless given.
    scheme : the tag scheme, of a row per word; detected unless given.
    tokenizer, sentence_splitter : for a row per entity.
    """

    patterns = ("*.csv", "*.tsv")

    def __init__(
        self,
        columns: dict[str, str] | None = None,
        delimiter: str | None = None,
        scheme: str | None = None,
        tokenizer: Tokenizer | None = None,
        sentence_splitter: SentenceSplitter | None = None,
        encoding: str | None = None,
    ) -> None:
        super().__init__(tokenizer, sentence_splitter, encoding)
        self.columns = columns or {}
        self.delimiter = delimiter
        self.scheme = scheme
        for name in self.columns:
            if name not in (*WORD_COLUMNS, *ENTITY_COLUMNS):
                raise ConfigurationError(f"columns has {name!r}. Use {', '.join((*WORD_COLUMNS, *ENTITY_COLUMNS))}.")

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        corpus = cls()
        found = corpus._form(sample.rows[0]) if sample.rows else None
        return None if found is None else f"its header has the columns {', '.join(found[1])}"

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        lines = text_file.lines(file, self.encoding, repairs)
        header = next(lines, (1, ""))[1]
        found = self._form(header)
        if found is None:
            raise ConfigurationError(
                f"{file}:1 is not a header with the columns word and tag (a row per word) or text, start, end and type "
                f"(a row per entity): {header[:80]!r}. Set `columns` if they have other names."
            )
        delimiter, places = found
        rows = _rows(lines, delimiter, places, file)
        if "word" in places:
            yield from sentences_of_rows(rows, "sentence" in places, self.scheme, file, repairs)
            return
        for document in texts_of_rows(rows, file):
            yield from self.sentences_of(document, repairs)

    def _form(self, header: str) -> tuple[str, dict[str, int]] | None:
        """The delimiter, and where our columns are, if the header is of either form."""
        for delimiter in self.delimiter or DELIMITERS:
            try:
                names = [name.strip().lower() for name in next(csv.reader([header], delimiter=delimiter), [])]
            except csv.Error:
                continue
            for form in (WORD_COLUMNS, ENTITY_COLUMNS):
                places = self._places(names, form)
                if len(names) > 1 and all(name in places for name in form if name not in OPTIONAL):
                    return delimiter, places
        return None

    def _places(self, names: list[str], form: dict[str, tuple[str, ...]]) -> dict[str, int]:
        places: dict[str, int] = {}
        for ours, usual in form.items():
            wanted = (self.columns[ours].lower(),) if ours in self.columns else usual
            place = next((names.index(name) for name in wanted if name in names), None)
            if place is not None and place not in places.values():
                places[ours] = place
        return places


def _rows(lines: Iterator[tuple[int, str]], delimiter: str, places: dict[str, int], file: str) -> Iterator[Row]:
    csv.field_size_limit(1 << 30)
    reader = csv.reader((f"{line}\n" for _, line in lines), delimiter=delimiter, strict=True)
    last = 1
    try:
        for values in reader:
            last = reader.line_num + 1
            if not any(values):
                yield Row(last, {})
                continue
            if max(places.values()) >= len(values):
                raise ConfigurationError(
                    f"{file}:{last} has {len(values)} columns where at least {max(places.values()) + 1} are expected."
                )
            yield Row(last, {name: values[place] for name, place in places.items()})
    except csv.Error as error:
        raise ConfigurationError(f"{file}:{reader.line_num + 1} is not CSV ({error}). Check its quotes.") from error
