"""
Plain text without annotation, one text of one or more sentences per line: for weak labels, and for `convert`.
"""

from collections.abc import Iterator

from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.annotated_text import AnnotatedText
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.text_file import lines
from ner_zoo.data.repairs import Repairs


@Corpus.register("text")
class Text(RawTextCorpus):
    patterns = ("*.txt",)

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        for number, line in lines(file, self.encoding, repairs):
            if line.strip():
                yield from self.sentences_of(AnnotatedText(line, f"{file}:{number}"), repairs)
