"""
NYT, news with relations from Freebase: JSON lines of CoType or entrel-joint-mrt, detected line by line.
"""

from collections.abc import Iterator

from allennlp.data.tokenizers import Tokenizer
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora import cotype, entrel_json
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.json_lines import objects
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import NoSplitter
from ner_zoo.data.tokenizers import Spaces


@Corpus.register("nyt")
class Nyt(RawTextCorpus):
    """
    tokenizer : for sentences in CoType's form, which are tokenised already (default: split at white space).
    encoding : encoding of the files (default: detected automatically).
    """

    patterns = ("*.json", "*.jsonl")
    view = "joint"

    def __init__(self, tokenizer: Tokenizer | None = None, encoding: str | None = None) -> None:
        super().__init__(tokenizer or Spaces(), NoSplitter(), encoding)

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        return 'its records have "sentText"' if sample.every(lambda record: "sentText" in record) else None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        for source, record in objects(file, repairs, self.encoding):
            if entrel_json.is_entrel(record):
                sentences = [entrel_json.sentence_of_record(record, repairs, source)]
            else:
                sentences = list(self.sentences_of(cotype.document_of_record(record, repairs, source), repairs))
            if not any(sentence.tokens for sentence in sentences):
                repairs.add("sentence without words left out", source)
            yield from (sentence for sentence in sentences if sentence.tokens)
