"""
spaCy's `DocBin`, one document per sentence: non-overlapping entities in `doc.ents`, and all entities in a span group if
some overlap. Predicted entities are in the group "ner_zoo", with the model's name and scores as attributes. The other
fields of a sentence are in `doc.user_data`.
"""

import json
from collections.abc import Iterable
from typing import Any

from overrides import overrides

from ner_zoo.data.repairs import Repairs
from ner_zoo.data.spacy_words import spacy_words
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer, outermost
from ner_zoo.platform.atomic_files import replacing

# The key that spaCy's own span categorizer reads.
OVERLAPPING, PREDICTED = "sc", "ner_zoo"


@Writer.register("docbin")
class DocBinWriter(Writer):
    holds_unknown = True

    @overrides
    def write(self, sentences: Iterable[ScoredSentence], path: str, left_out: Repairs) -> None:
        from spacy.tokens import DocBin
        from spacy.vocab import Vocab

        vocab = Vocab()
        docs = DocBin(store_user_data=True)
        for scored in self.held(sentences, left_out):
            docs.add(_doc(scored, vocab))
        with replacing(path) as new:
            docs.to_disk(new)


def _doc(scored: ScoredSentence, vocab: Any) -> Any:
    from spacy.tokens import Doc, Span

    sentence = scored.sentence
    words, spaces, places = spacy_words(*sentence.characters())
    starts: list[bool | int | None] = [place == 0 for place in range(len(words))]
    doc = Doc(vocab, words=words, spaces=spaces, sent_starts=None if scored.is_predicted else starts)
    spans = {e: Span(doc, places[e.start], places[e.end - 1] + 1, label=e.type) for e in sentence.entities}
    flat = outermost(sentence.entities)
    missing = [Span(doc, places[place], places[place] + 1) for place in sentence.unknown]
    doc.set_ents([spans[entity] for entity in flat], missing=missing, default="outside")
    if scored.is_predicted:
        doc.spans[PREDICTED] = list(spans.values())
        scores = [scored.entity_scores[entity] for entity in spans]
        doc.spans[PREDICTED].attrs.update({"scores": scores, "model": scored.model})
    elif len(flat) < len(spans):
        doc.spans[OVERLAPPING] = list(spans.values())
    doc.user_data.update({_storable(name): _storable(value) for name, value in scored.fields.items()})
    return doc


def _storable(value: Any) -> Any:
    """A JSON value for a `DocBin`, which can store neither integers of more than 64 bits nor lone surrogates."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    is_small = value is None or isinstance(value, float) or (isinstance(value, int) and abs(value) < 1 << 63)
    return value if is_small else json.dumps(value)
