"""
A text during prediction: split into sentences and tokens with character offsets, and converted back to JSON.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from typing import Any

from ner_zoo.annotation import Entity, Sentence, Span
from ner_zoo.data.sentence_rules import SentenceRules
from ner_zoo.data.token_rules import TokenRules
from ner_zoo.labels.prediction import Prediction
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.predictors.options import Options
from ner_zoo.predictors.taggings import most_probable

# The fields that may contain the input. An output of the predictor, which also has tokens, is read by its text.
INPUTS = ("text", "sentence", "tokens")
# Probabilities have single precision.
DECIMALS = 6


@dataclass
class Document:
    """
    text : the unchanged input.
    sentences : its sentences, with their start offsets in `text`.
    predictions : the model's prediction for each sentence.
    """

    text: str
    sentences: list[Sentence] = field(default_factory=list)
    predictions: list[Prediction] = field(default_factory=list)

    @classmethod
    def of_text(cls, text: str, tokenizer: Any, splitter: SentenceRules) -> "Document":
        return cls(text, list(sentences_of(text, tokenizer, splitter)))

    @classmethod
    def of_sentence(cls, sentence: Sentence) -> "Document":
        """One sentence of a corpus, or given tokens."""
        text, _ = sentence.characters()
        return cls(text, [replace(sentence, text_start=0)])

    @classmethod
    def of_json(cls, inputs: Any, tokenizer: Any, splitter: SentenceRules) -> "Document":
        """Builds a document from `{"text": …}`, `{"sentence": …}` or `{"tokens": […]}`, the first that is present."""
        if not isinstance(inputs, dict):
            raise ConfigurationError(
                f"An input must be a JSON object with text or tokens, but this is {_kind(inputs)}."
            )
        key = input_key(inputs)
        value = inputs[key]
        if key != "tokens":
            if not isinstance(value, str):
                raise ConfigurationError(f'"{key}" must be a string, but this is {_kind(value)}.')
            return cls.of_text(value, tokenizer, splitter)
        if not isinstance(value, list):
            raise ConfigurationError(f'"tokens" must be a list of strings, but this is {_kind(value)}.')
        odd = next((token for token in value if not isinstance(token, str)), None)
        if odd is not None or None in value:
            raise ConfigurationError(f'"tokens" must be a list of strings, but one of them is {_kind(odd)}.')
        if "" in value:
            raise ConfigurationError(f"Token {value.index('')} of the input (counting from 0) is empty. Remove it.")
        return cls.of_sentence(Sentence(tuple(value)))

    def to_json(self, options: Options) -> dict[str, Any]:
        """The prediction as JSON for users."""
        return {**self.without_tokens(options), "tokens": self.tokens()}

    def tokens(self) -> list[dict[str, Any]]:
        spans = (span for sentence in self.sentences for span in token_places(sentence))
        return [{"text": self.text[start:end], "start": start, "end": end} for start, end in spans]

    def without_tokens(self, options: Options) -> dict[str, Any]:
        """The prediction with an empty list of tokens."""
        output: dict[str, Any] = {"text": self.text, "tokens": [], "sentences": [], "entities": [], "relations": []}
        for sentence, prediction in zip(self.sentences, self.predictions, strict=True):
            text, _ = sentence.characters()
            output["sentences"].append([sentence.text_start, sentence.text_start + len(text)])
            if prediction.entities:
                self._add(output, token_places(sentence), options.select(prediction))
        if options.top_k:
            output["taggings"] = self._taggings(options.top_k)
        return output

    def _add(self, output: dict[str, Any], spans: Sequence[Span], prediction: Prediction) -> None:
        number: dict[Entity, int] = {}
        for entity, _ in prediction.entities:
            number[entity] = len(output["entities"]) + len(number)
        output["entities"] += self._entities(spans, prediction.entities)
        for relation, score in prediction.relations:
            head, tail = number[relation.head], number[relation.tail]
            score = round(score, DECIMALS)
            output["relations"].append({"type": relation.type, "head": head, "tail": tail, "score": score})

    def _entities(self, spans: Sequence[Span], entities: Iterable[tuple[Entity, float]]) -> list[dict[str, Any]]:
        found = []
        for entity, score in entities:
            fragments = [[spans[start][0], spans[end - 1][1]] for start, end in entity.fragments]
            text = " ".join(self.text[s:e] for s, e in fragments)
            place = {"fragments": fragments, "start": fragments[0][0], "end": fragments[-1][1]}
            found.append({"type": entity.type, "text": text, **place, "score": round(score, DECIMALS)})
        return found

    def _taggings(self, top_k: int) -> list[dict[str, Any]]:
        taggings = []
        places = [token_places(sentence) for sentence in self.sentences]
        for sequence in most_probable([prediction.taggings for prediction in self.predictions], top_k):
            chosen = zip(places, sequence.taggings)
            entities = [entity for spans, tagging in chosen for entity in self._entities(spans, tagging.entities)]
            taggings.append({"entities": entities, "score": round(exp(sequence.log_probability), DECIMALS)})
        return taggings


def token_places(sentence: Sentence) -> list[Span]:
    """The character offsets of a sentence's tokens in the text."""
    return [(start + sentence.text_start, end + sentence.text_start) for start, end in sentence.characters()[1]]


def input_key(inputs: Mapping[str, Any]) -> str:
    """The field that contains the input."""
    key = next((key for key in INPUTS if key in inputs), None)
    if key is None:
        names = ", ".join(sorted(map(str, inputs))[:10]) or "nothing"
        raise ConfigurationError(f'An input must have "text", "sentence" or "tokens"; this input has {names}.')
    return key


def sentences_of(text: str, tokenizer: Any, splitter: SentenceRules) -> Iterator[Sentence]:
    """The sentences of a text, one at a time; `text_start` is the start offset of each."""
    for start, end in splitter.split(text):
        piece = text[start:end]
        offsets = tuple(_token_spans(piece, tokenizer))
        if offsets:
            words = tuple(piece[first:last] for first, last in offsets)
            yield Sentence(words, text=piece, offsets=offsets, text_start=start)


def _token_spans(text: str, tokenizer: Any) -> Iterable[Span]:
    if isinstance(tokenizer, TokenRules):
        return tokenizer.spans(text)
    return [(token.idx, token.idx + len(token.text)) for token in tokenizer.tokenize(text)]


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
