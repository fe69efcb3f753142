"""
A text on its way through a model: cut into sentences and tokens with their character offsets, and put together again as JSON.
"""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Sequence, Tuple

from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Tokenizer

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.sentence_splitter import SentenceSplitter


@dataclass
class Document:
    """
    text : exactly as given.
    sentences, starts : its sentences, and where each begins in `text`.
    predictions : what the model said of each sentence.
    """

    text: str
    sentences: List[Sentence]
    starts: List[int]
    predictions: List[Dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of_text(cls, text: str, tokenizer: Tokenizer, splitter: SentenceSplitter) -> "Document":
        sentences, starts = [], []
        for start, end in splitter.split(text):
            tokens = tokenizer.tokenize(text[start:end])
            if tokens:
                offsets = tuple((token.idx, token.idx + len(token.text)) for token in tokens)
                words = tuple(token.text for token in tokens)
                sentences.append(Sentence(words, text=text[start:end], offsets=offsets, text_start=start))
                starts.append(start)
        return cls(text, sentences, starts)

    @classmethod
    def of_sentence(cls, sentence: Sentence) -> "Document":
        """One sentence of a corpus, or tokens that were given."""
        text, _ = sentence.characters()
        return cls(text, [sentence], [0])

    @classmethod
    def of_json(cls, inputs: Any, tokenizer: Tokenizer, splitter: SentenceSplitter) -> "Document":
        """From `{"text": …}`, `{"sentence": …}` or `{"tokens": […]}`."""
        if not isinstance(inputs, dict):
            raise ConfigurationError(f"An input is a JSON object with text or tokens, but this is {_kind(inputs)}.")
        given = [key for key in ("text", "sentence", "tokens") if key in inputs]
        if len(given) != 1:
            raise ConfigurationError(
                f'Give one of "text", "sentence" and "tokens"; this input has {given or sorted(map(str, inputs))}.'
            )
        value = inputs[given[0]]
        if given[0] != "tokens":
            if not isinstance(value, str):
                raise ConfigurationError(f'"{given[0]}" is a string, but this is {_kind(value)}.')
            return cls.of_text(value, tokenizer, splitter)
        if not isinstance(value, list) or not all(isinstance(token, str) for token in value):
            raise ConfigurationError(f'"tokens" is a list of strings, but this is {_kind(value)}.')
        return cls.of_sentence(Sentence(tuple(value)))

    def to_json(self, threshold: float = 0.0) -> Dict[str, Any]:
        """The prediction as users see it; entities below the threshold are left out, with their relations."""
        output: Dict[str, Any] = {"text": self.text, "tokens": [], "entities": [], "relations": []}
        for sentence, shift, prediction in zip(self.sentences, self.starts, self.predictions):
            _, offsets = sentence.characters()
            spans = [(start + shift, end + shift) for start, end in offsets]
            output["tokens"] += [{"text": self.text[s:e], "start": s, "end": e} for s, e in spans]
            self._add_annotations(output, spans, prediction, threshold)
        return output

    def _add_annotations(
        self, output: Dict[str, Any], spans: Sequence[Tuple[int, int]], prediction: Dict[str, Any], threshold: float
    ) -> None:
        number: Dict[Entity, int] = {}
        for entity, score in zip(prediction["entities"], prediction["scores"]):
            if score < threshold:
                continue
            number[entity] = len(output["entities"])
            fragments = [[spans[start][0], spans[end - 1][1]] for start, end in entity.fragments]
            start, end = fragments[0][0], fragments[-1][1]
            text = " ".join(self.text[s:e] for s, e in fragments)
            output["entities"].append(
                {"type": entity.type, "text": text, "fragments": fragments, "start": start, "end": end, "score": score}
            )
        relations: List[Tuple[Relation, float]] = list(
            zip(prediction.get("relations", ()), prediction.get("relation_scores", ()))
        )
        for relation, score in relations:
            if relation.head in number and relation.tail in number and score >= threshold:
                head, tail = number[relation.head], number[relation.tail]
                output["relations"].append({"type": relation.type, "head": head, "tail": tail, "score": score})


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
