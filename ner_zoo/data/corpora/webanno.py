"""
WebAnno TSV 3, as exported by INCEpTION: one row per token, with layers in the columns listed in the header.

    #FORMAT=WebAnno TSV 3.3
    #T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value
    #T_RL=webanno.custom.Relation|label|BT_de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity

    #Text=Ada Quill moved.
    1-1	0-3	Ada	*[1]	PER[1]	_	_
    1-2	4-9	Quill	*[1]	PER[1]	_	_

Offsets count UTF-16 units of the document. Tokens and sentences are kept.
"""

from collections.abc import Iterator

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora import text_file
from ner_zoo.data.corpora.annotated_text import sentence_on_tokens
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.webanno_layers import Layer, layers_of_header
from ner_zoo.data.corpora.webanno_sentence import TsvSentence
from ner_zoo.data.repairs import Repairs

FORMAT = "#FORMAT=WebAnno TSV 3"


@Corpus.register("webanno")
class Webanno(Corpus):
    """
    layer : span layer of the entities, or the end of its name; required only if there are several and none is
        NamedEntity.
    feature : feature that contains the type (default: `value`, or else the first one).
    encoding : encoding of the files (default: detected automatically).
    """

    patterns = ("*.tsv",)

    def __init__(self, layer: str | None = None, feature: str | None = None, encoding: str | None = None) -> None:
        self.layer = layer
        self.feature = feature
        super().__init__(encoding)

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        return f"its first line says {FORMAT[8:]}" if sample.text.startswith(FORMAT) else None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        header: list[str] = []
        spans: Layer | None = None
        relations: list[Layer] = []
        current: TsvSentence | None = None
        seen: dict[str, None] = {}
        for number, line in text_file.lines(file, self.encoding, repairs):
            source = f"{file}:{number}"
            if number == 1 and not line.startswith(FORMAT):
                raise ConfigurationError(f"{source} is not {FORMAT[8:]}: the first line must be {FORMAT}.3.")
            if line.startswith("#T_"):
                header.append(line)
            elif line.startswith("#Text="):
                if spans is None:
                    spans, relations = layers_of_header(header, self.layer, self.feature, f"{file}:1")
                if current is not None and current.has_rows:
                    yield from _finished(current, seen, repairs)
                    current = None
                if current is None:
                    current = TsvSentence(source, spans, relations)
                current.add_text(line.removeprefix("#Text="))
            elif line[:1].isdigit():
                if current is None:
                    raise ConfigurationError(f"{source} is a token before the first #Text= line.")
                current.add_row(line, source, repairs)
        if current is not None:
            yield from _finished(current, seen, repairs)


def _finished(sentence: TsvSentence, seen: dict[str, None], repairs: Repairs) -> Iterator[Sentence]:
    """The sentence, if it has tokens. An entity id that was seen before belongs to an entity across sentences."""
    for id in sentence.ids:
        if id in seen:
            repairs.add("entity across two sentences read as two", sentence.source)
        seen[id] = None
    document = sentence.document(repairs)
    if document.tokens:
        yield sentence_on_tokens(document, repairs)
    else:
        repairs.add("sentence without words left out", sentence.source)
