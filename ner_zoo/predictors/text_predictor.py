"""
Converts inputs to outputs with any backend: a torch model or an exported one.

    JSON -> Document -> sentences -> windows -> batches -> predictions -> JSON
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from ner_zoo.annotation import Sentence, Span
from ner_zoo.data.sentence_rules import SentenceRules
from ner_zoo.data.token_budget import token_batches
from ner_zoo.labels.abilities import Abilities
from ner_zoo.labels.prediction import Prediction, Tagging
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.predictors.document import Document
from ner_zoo.predictors.given_entities import with_given
from ner_zoo.predictors.line import BadLine, Line
from ner_zoo.predictors.options import Options
from ner_zoo.predictors.windows import cut, of_sentence, windows

Output = dict[str, Any]
Item = TypeVar("Item")


class SentenceReader(Protocol):
    """Interface of a model for the text predictor."""

    @property
    def labels(self) -> Abilities:
        """The entity types it can predict."""

    @property
    def has_encoder(self) -> bool:
        """Whether it has a pretrained encoder, which needs smaller batches."""

    def lengths(self, sentences: Sequence[Sentence]) -> list[int]:
        """The cost of each sentence in a batch: its tokens or word pieces."""

    def __call__(self, sentences: Sequence[Sentence], top_k: int = 0) -> list[Prediction]:
        """The prediction for each sentence, with its `top_k` best taggings."""

    def fits(self, pieces: Sequence[Sequence[str]]) -> bool:
        """Whether the model can process each of these token sequences in one piece."""


class TextPredictor:
    """
    reader : the model.
    tokenizer, sentence_splitter : for raw text; the tokenizer is a `TokenRules` or one of AllenNLP's.
    threshold, top_k, nested : for inputs without their own options.
    max_tokens_per_batch, max_sentence_tokens, window_overlap, strict : see `NerZooPredictor`.
    """

    def __init__(
        self,
        reader: SentenceReader,
        tokenizer: Any,
        sentence_splitter: SentenceRules,
        threshold: float = 0.0,
        top_k: int = 0,
        nested: bool = True,
        max_tokens_per_batch: int | None = None,
        max_sentence_tokens: int = 512,
        window_overlap: int = 128,
        strict: bool = False,
    ) -> None:
        if max_tokens_per_batch is not None and max_tokens_per_batch < 1:
            raise ConfigurationError(f"max_tokens_per_batch is {max_tokens_per_batch}. Set it to 1 or more.")
        if not 0 <= window_overlap < max_sentence_tokens:
            raise ConfigurationError(
                f"window_overlap is {window_overlap} and max_sentence_tokens {max_sentence_tokens}. Set an overlap of "
                f"0 or more that is smaller than the windows."
            )
        self._forward = reader
        self.labels: Abilities = reader.labels
        self.tokenizer = tokenizer
        self.sentence_splitter = sentence_splitter
        self.options = Options(threshold, top_k, nested)
        self.max_tokens_per_batch = max_tokens_per_batch or (512 if reader.has_encoder else 4096)
        self.max_sentence_tokens = max_sentence_tokens
        self.window_overlap = window_overlap
        self.strict = strict

    def predict_all(self, inputs: Sequence[Any], options: Sequence[Options] | None = None) -> list[Output]:
        """The output for each input, in order, with its own options; an error object for inputs that cannot be used."""
        options = [self.options] * len(inputs) if options is None else options
        annotated = self.documents(inputs, options)
        return [one.to_json(own) if isinstance(one, Document) else one for one, own in zip(annotated, options)]

    def documents(self, inputs: Sequence[Any], options: Sequence[Options]) -> list[Document | Output]:
        """The document of each input with its predictions, or its error record."""
        outputs: list[Document | Output] = []
        for given, own in zip(inputs, options):
            try:
                self.labels.check_top_k(own.top_k)
                outputs.append(self.document(given, own.top_k))
            except ConfigurationError as error:
                outputs.append(self._failure(given, error))
        documents = {number: output for number, output in enumerate(outputs) if isinstance(output, Document)}
        top_k = max((options[number].top_k for number in documents), default=0)

        def annotate(numbers: Sequence[int]) -> None:
            self.annotate([documents[number] for number in numbers], top_k)

        for number, reason in failing(list(documents), annotate):
            outputs[number] = self._failure(inputs[number], reason)
        return outputs

    def document(self, inputs: Any, top_k: int = 0) -> Document:
        """
        The sentences of one input with its given entities; models without relations ignore these and predict their own.
        """
        if isinstance(inputs, BadLine):
            raise ConfigurationError(inputs["error"])
        document = Document.of_json(inputs, self.tokenizer, self.sentence_splitter)
        if self.labels.has_relations and inputs.get("entities") is not None:
            document.sentences = list(with_given(document.sentences, inputs, self.labels, top_k))
        return document

    def annotate(self, documents: Sequence[Document], top_k: int = 0) -> None:
        """Predicts all documents, in batches that mix sentences of different documents."""
        sentences = [sentence for document in documents for sentence in document.sentences]
        predictions = iter(self._predictions(sentences, top_k))
        for document in documents:
            document.predictions = [next(predictions) for _ in document.sentences]

    def _failure(self, given: Any, error: Exception) -> Output:
        """The error output for an input that cannot be used; raises in strict mode."""
        message = error.message if isinstance(error, ConfigurationError) else f"{type(error).__name__}: {error}"
        line = given.line if isinstance(given, Line) else None
        if self.strict:
            raise ConfigurationError(message if line is None else f"Line {line}: {message}") from error
        return {"error": message} if line is None else {"error": message, "line": line}

    def _predictions(self, sentences: Sequence[Sentence], top_k: int) -> list[Prediction]:
        spans = [self.windows(sentence) for sentence in sentences]
        pieces = [piece for sentence, cuts in zip(sentences, spans) for piece in cut(sentence, cuts)]
        rest = iter(self.read(pieces, top_k))
        return [
            of_sentence(sentence, cuts, [next(rest) for _ in cuts], top_k) for sentence, cuts in zip(sentences, spans)
        ]

    def read(self, pieces: Sequence[Sentence], top_k: int = 0) -> list[Prediction]:
        """The prediction for each piece, all of which fit into the model."""
        found: list[Prediction] = [Prediction(taggings=[Tagging(0.0, ())]) for _ in pieces]
        for batch in self.batches(pieces):
            for number, prediction in zip(batch, self._forward([pieces[number] for number in batch], top_k)):
                found[number] = prediction
        return found

    def windows(self, sentence: Sentence) -> list[Span]:
        """Splits a sentence into parts that fit into the model; a single part if it fits."""
        length, size = len(sentence.tokens), self.max_sentence_tokens
        cuts = windows(length, size, self.window_overlap)
        while size > 1 and not self._forward.fits([sentence.tokens[start:end] for start, end in cuts]):
            size //= 2
            cuts = windows(length, size, min(self.window_overlap, size // 4))
        return cuts

    def batches(self, pieces: Sequence[Sentence]) -> Iterator[list[int]]:
        """Batches of indices of pieces of similar length within the token limit, without empty pieces."""
        return token_batches(self._forward.lengths(pieces), self.max_tokens_per_batch)


def failing(items: Sequence[Item], process: Callable[[Sequence[Item]], None]) -> list[tuple[Item, Exception]]:
    """Processes items together; if that fails, isolates the items that cause it, and returns them with their errors."""
    try:
        process(items)
        return []
    except Exception as error:
        if len(items) == 1:
            return [(items[0], error)]
    half = len(items) // 2
    return [*failing(items[:half], process), *failing(items[half:], process)]
