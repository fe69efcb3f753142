"""
A prediction as a spaCy `Doc`, token for token.
"""

from collections.abc import Mapping
from typing import Any

from ner_zoo.platform.configuration_error import ConfigurationError


def to_spacy(prediction: Mapping[str, Any]) -> Any:
    """
    The words are those of the prediction. Text between two tokens that is more than one space, which a `Doc` cannot
    represent, becomes a white space token, as in spaCy's own tokenizers; so does text before the first token.
    """
    try:
        import spacy
        from spacy.tokens import Doc
        from spacy.util import filter_spans
    except ImportError as error:
        raise ConfigurationError("to_spacy() needs spaCy, which is not installed. Run: pip install spacy") from error
    words, spaces = _words(prediction)
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


def _words(prediction: Mapping[str, Any]) -> Any:
    """The words of the text, including white space other than a single space, and whether a space follows each."""
    words: list[str] = []
    spaces: list[bool] = []
    position = 0
    text = prediction["text"]
    borders = [(token["start"], token["end"]) for token in prediction["tokens"]]
    for start, end in [*borders, (len(text), len(text))]:
        between = text[position:start]
        if between.startswith(" ") and words:
            spaces[-1] = True
            between = between[1:]
        if between:
            words.append(between)
            spaces.append(False)
        if end > start:
            words.append(text[start:end])
            spaces.append(False)
        position = end
    return words, spaces
