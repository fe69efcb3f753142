"""
CSV with a header, in one of two forms, distinguished by the column names.

    Sentence #,Word,Tag                one row per word with its tag; the sentence may be named in its first row only.
    Sentence: 1,Ada,B-PER              Without such a column, an empty row ends the sentence.

    text,start,end,type                one row per entity: half-open characters of the text, repeated in all its rows.
    Ada moved to Lune.,0,3,PER         A text without entities has one row with the other columns empty.

The delimiter is a comma, a semicolon, a tab or a vertical bar.
"""

import csv
from collections.abc import Iterator

from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Tokenizer
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora import text_file
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.csv_entities import texts_of_rows
from ner_zoo.data.corpora.csv_words import CsvRow, sentences_of_rows
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import SentenceSplitter

DELIMITERS = ",;\t|"
# The usual column names in lower case, by our own names.
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


@Corpus.register("csv")
class Csv(RawTextCorpus):
    """
    columns : unusual column names, by our names: `{"word": "Wort", "tag": "Etikett"}`.
    delimiter : column separator (default: detected automatically).
    scheme : tag scheme, for one row per word (default: detected automatically).
    tokenizer, sentence_splitter : for one row per entity.
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
                raise ConfigurationError(
                    f"columns contains the unknown name {name!r}. Use {', '.join((*WORD_COLUMNS, *ENTITY_COLUMNS))}."
                )

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
                f"{file}:1 is not a header with the columns word and tag (one row per word) or text, start, end and "
                f"type (one row per entity): {header[:80]!r}. Set `columns` if they have other names."
            )
        delimiter, places = found
        rows = _rows(lines, delimiter, places, file)
        if "word" in places:
            yield from sentences_of_rows(rows, "sentence" in places, self.scheme, file, repairs)
            return
        for document in texts_of_rows(rows, file):
            yield from self.sentences_of(document, repairs)

    def _form(self, header: str) -> tuple[str, dict[str, int]] | None:
        """The delimiter and the positions of our columns, if the header is in either form."""
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


def _rows(lines: Iterator[tuple[int, str]], delimiter: str, places: dict[str, int], file: str) -> Iterator[CsvRow]:
    csv.field_size_limit(1 << 30)
    reader = csv.reader((f"{line}\n" for _, line in lines), delimiter=delimiter, strict=True)
    last = 1
    try:
        for values in reader:
            last = reader.line_num + 1
            if not any(values):
                yield CsvRow(last, {})
                continue
            if max(places.values()) >= len(values):
                raise ConfigurationError(
                    f"{file}:{last} has {len(values)} columns, but at least {max(places.values()) + 1} are expected."
                )
            yield CsvRow(last, {name: values[place] for name, place in places.items()})
    except csv.Error as error:
        raise ConfigurationError(f"{file}:{reader.line_num + 1} is not CSV ({error}). Check the quotes.") from error
