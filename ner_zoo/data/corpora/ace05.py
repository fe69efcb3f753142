"""
ACE 2005, 7 entity types and 6 relation types, in all forms in which it is distributed. The form is detected from file
name and content.

    doc.sgm + doc.apf.xml            from the LDC
    doc.split.txt + doc.split.ann    prepared by LSTM-ER: standoff, one tokenised sentence per line
    *.json, *.jsonl                  one document of DyGIE++ or PURE per line, or one sentence of entrel-joint-mrt
"""

import os
import re
from collections.abc import Iterator

from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Tokenizer
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora import entrel_json, ldc_documents, span_json
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.json_lines import objects
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.standoff import Standoff, TokenisedStandoff
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import SentenceSplitter

TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d(?:T| )\d\d:\d\d:\d\d\S*")
# Treated by entrel-joint-mrt as the header of LSTM-ER's files.
HEADER_LINES = 3


@Corpus.register("ace05")
class Ace05(RawTextCorpus):
    """
    spans : mark an LDC mention by its `head` (the usual choice) or by its full `extent`. Other forms only have heads.
    keep_header : keep the lines before the text and the time stamp after it, which are not part of the evaluation.
    tokenizer, sentence_splitter : for the LDC's raw text.
    encoding : encoding of the files (default: detected automatically).
    """

    patterns = ("*.apf.xml", "*.split.ann", "*.json", "*.jsonl")
    view = "joint"

    def __init__(
        self,
        spans: str = "head",
        keep_header: bool = False,
        tokenizer: Tokenizer | None = None,
        sentence_splitter: SentenceSplitter | None = None,
        encoding: str | None = None,
    ) -> None:
        super().__init__(tokenizer, sentence_splitter, encoding)
        if spans not in ("head", "extent"):
            raise ConfigurationError(f'spans is {spans!r}. Set it to "head" or "extent".')
        self.spans = spans
        self.keep_header = keep_header

    @overrides
    def files(self, path: str) -> list[str]:
        """The files of a path, each document once: its annotation file from the latest annotation round."""
        found = (ldc_documents.annotation_file(file) for file in super().files(path))
        return ldc_documents.latest_rounds(list(dict.fromkeys(found)))

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        ending = os.path.splitext(file.removesuffix(".gz"))[1]
        if ending in (".xml", ".sgm"):
            return self._of_ldc(ldc_documents.annotation_file(file), repairs)
        if ending in (".ann", ".txt"):
            return self._of_standoff(file, repairs)
        return self._of_json(file, repairs)

    def _of_ldc(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        document, (start, end) = ldc_documents.read_document(file, self.spans, self.encoding, repairs)
        for sentence in self.sentences_of(document, repairs):
            is_body = start <= sentence.text_start < end
            if is_body or self.keep_header or sentence.entities:
                yield sentence
            else:
                repairs.add("sentence outside the body left out", sentence.source)

    def _of_standoff(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        if ".split." not in os.path.basename(file):
            yield from Standoff(self.text_tokenizer, self.text_splitter, self.encoding).sentences(file, repairs)
            return
        sentences = list(TokenisedStandoff(encoding=self.encoding).sentences(file, repairs))
        for number, sentence in enumerate(sentences, 1):
            is_time = number == len(sentences) and TIMESTAMP.fullmatch(sentence.text or "")
            if self.keep_header or not (is_time or _line(sentence) <= HEADER_LINES):
                yield sentence
                continue
            repairs.add("line of the header left out", sentence.source)
            repairs.add("entity in the header left out", sentence.source, len(sentence.entities))
            repairs.add("relation in the header left out", sentence.source, len(sentence.relations))

    def _of_json(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        for source, record in objects(file, repairs, self.encoding):
            if "sentText" in record:
                yield entrel_json.sentence_of_record(record, repairs, source)
            else:
                yield from span_json.sentences_of_record(record, repairs, source)


def _line(sentence: Sentence) -> int:
    return int(sentence.source.rpartition(":")[2])
