"""
A prediction as a spaCy `Doc`, token for token.
"""

from collections.abc import Mapping
from typing import Any

from ner_zoo.data.spacy_words import spacy_words
from ner_zoo.platform.configuration_error import ConfigurationError


def to_spacy(prediction: Mapping[str, Any]) -> Any:
    """The words are those of the prediction, plus white space that a `Doc` cannot represent: see `spacy_words`."""
    try:
        import spacy
        from spacy.tokens import Doc
        from spacy.util import filter_spans
    except ImportError as error:
        raise ConfigurationError("to_spacy() needs spaCy, which is not installed. Run: pip install spacy") from error
    offsets = [(token["start"], token["end"]) for token in prediction["tokens"]]
    words, spaces, _ = spacy_words(prediction["text"], offsets)
    doc = Doc(spacy.blank("xx").vocab, words=words, spaces=spaces)
    spans = []
    for number, entity in enumerate(prediction["entities"]):
        if len(entity["fragments"]) == 1:
            span = doc.char_span(entity["start"], entity["end"], label=entity["type"], span_id=str(number))
            if span is not None:
                spans.append(span)
    doc.spans["ner_zoo"] = spans
    doc.spans["ner_zoo"].attrs["scores"] = [prediction["entities"][int(span.id_)]["score"] for span in spans]
    doc.ents = filter_spans(spans)
    doc.user_data["relations"] = list(prediction["relations"])
    return doc
