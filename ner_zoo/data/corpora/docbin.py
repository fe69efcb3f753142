"""
spaCy's binary training data: a `DocBin`, as written by `spacy convert` and `DocBin.to_disk`.

Entities are read from `doc.ents` and every group in `doc.spans`, or from the selected `layers`. Sentences are those of
the document, if set. Tokens whose entity label is missing in spaCy are unknown.
"""

from collections.abc import Iterator
from typing import Any

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence, Span
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Mention
from ner_zoo.data.corpora.binary_files import is_docbin
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.text_file import open_bytes
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import SentenceSplitter

ENTS = "ents"


@Corpus.register("docbin")
class DocBin(RawTextCorpus):
    """
    layers : sources of entities: "ents" and names of span groups (default: all).
    sentence_splitter : for documents without sentences.
    """

    patterns = ("*.spacy",)

    def __init__(self, layers: list[str] | None = None, sentence_splitter: SentenceSplitter | None = None) -> None:
        super().__init__(sentence_splitter=sentence_splitter)
        self.layers = layers

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        return "it is a spaCy DocBin" if is_docbin(sample.head) else None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        seen: dict[str, None] = {}
        for number, doc in enumerate(_docs(file), 1):
            seen.update(dict.fromkeys([ENTS, *doc.spans]))
            yield from self.sentences_of(self._document(doc, f"{file}:{number}"), repairs)
        missing = [layer for layer in self.layers or () if layer not in seen]
        if missing:
            raise ConfigurationError(
                f"{file}:1 has no layer {missing[0]!r}. Available: {', '.join(seen) or 'no document'}."
            )

    def _document(self, doc: Any, source: str) -> AnnotatedText:
        """One document of the DocBin; error messages refer to it by number."""
        layers = [ENTS, *doc.spans] if self.layers is None else self.layers
        found: dict[Mention, None] = {}
        for layer in layers:
            for span in doc.ents if layer == ENTS else doc.spans.get(layer, ()):
                if not span.label_:
                    raise ConfigurationError(
                        f"{source} has a span without a label in {layer}: {span.text[:60]!r}. Set `layers` to those "
                        f"that contain entities."
                    )
                found[Mention(span.label_, ((span.start_char, span.end_char),), source)] = None
        return AnnotatedText(
            text=doc.text,
            source=source,
            mentions={str(key): mention for key, mention in enumerate(found)},
            unknown=_missing(doc) if ENTS in layers else [],
            tokens=[(token.idx, token.idx + len(token)) for token in doc if not token.text.isspace()],
            breaks=[sent.start_char for sent in doc.sents] if doc.has_annotation("SENT_START") else None,
        )


def _missing(doc: Any) -> list[Span]:
    """The characters of tokens without annotation; empty for a document with span groups but no `ents`."""
    if doc.spans and not doc.has_annotation("ENT_IOB"):
        return []
    return [(token.idx, token.idx + len(token)) for token in doc if token.ent_iob_ == ""]


def _docs(file: str) -> Iterator[Any]:
    import spacy.tokens
    from spacy.vocab import Vocab

    try:
        with open_bytes(file) as raw:
            yield from spacy.tokens.DocBin().from_bytes(raw.read()).get_docs(Vocab())
    except Exception as error:  # invalid bytes can raise anything in msgpack, numpy and spaCy
        reason = str(error).split("\n")[0][:200] or type(error).__name__
        raise ConfigurationError(f"{file}:1 is not a complete spaCy DocBin ({reason}).") from error
