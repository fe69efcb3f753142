"""
From inputs to outputs, whatever makes the predictions: a model in torch, or an exported one.

    JSON -> Document -> sentences -> windows -> batches -> predictions -> JSON
"""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

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


class SentenceReader(Protocol):
    """What a model is for a predictor."""

    @property
    def labels(self) -> Abilities:
        """What it can predict."""
        ...

    @property
    def has_encoder(self) -> bool:
        """Whether it has a pretrained encoder, for which batches are smaller."""
        ...

    def lengths(self, sentences: Sequence[Sentence]) -> list[int]:
        """What each sentence takes of a batch: its tokens, or its word pieces."""
        ...

    def __call__(self, sentences: Sequence[Sentence], top_k: int = 0) -> list[Prediction]:
        """The prediction of each sentence, with its `top_k` best taggings."""
        ...

    def fits(self, pieces: Sequence[Sequence[str]]) -> bool:
        """Whether the model can read all of these rows of tokens, each at once."""
        ...


class TextPredictor:
    """
    reader : the model.
    tokenizer, sentence_splitter : for raw text; the tokenizer is a `TokenRules`, or one of AllenNLP's.
    options : of inputs that have none of their own.
    max_tokens_per_batch, max_sentence_tokens, window_overlap, strict : see `NerZooPredictor`.
    """

    def __init__(
        self,
        reader: SentenceReader,
        tokenizer: Any,
        sentence_splitter: SentenceRules,
        options: Options,
        max_tokens_per_batch: int | None = None,
        max_sentence_tokens: int = 512,
        window_overlap: int = 128,
        strict: bool = False,
    ) -> None:
        if max_tokens_per_batch is not None and max_tokens_per_batch < 1:
            raise ConfigurationError(f"max_tokens_per_batch is {max_tokens_per_batch}. Give 1 or more.")
        if not 0 <= window_overlap < max_sentence_tokens:
            raise ConfigurationError(
                f"window_overlap is {window_overlap} and max_sentence_tokens {max_sentence_tokens}. Give an overlap of "
                "0 or more, and longer windows."
            )
        self._forward = reader
        self.labels: Abilities = reader.labels
        self.tokenizer = tokenizer
        self.sentence_splitter = sentence_splitter
        self.options = options
        self.max_tokens_per_batch = max_tokens_per_batch or (512 if reader.has_encoder else 4096)
        self.max_sentence_tokens = max_sentence_tokens
        self.window_overlap = window_overlap
        self.strict = strict

    def predict_all(self, inputs: Sequence[Any], options: Sequence[Options] | None = None) -> list[Output]:
        """The output of each input, in order, by its own options; of one that cannot be used, what is wrong with it."""
        options = [self.options] * len(inputs) if options is None else options
        outputs: list[Output] = [{} for _ in inputs]
        documents: dict[int, Document] = {}
        for number, given in enumerate(inputs):
            try:
                self.labels.check_top_k(options[number].top_k)
                documents[number] = self.document(given, options[number].top_k)
            except ConfigurationError as error:
                outputs[number] = self._failure(given, error)
        top_k = max((options[number].top_k for number in documents), default=0)
        for number, reason in self._annotate_apart(documents, top_k).items():
            outputs[number] = self._failure(inputs[number], reason)
            del documents[number]
        for number, document in documents.items():
            outputs[number] = document.to_json(options[number])
        return outputs

    def document(self, inputs: Any, top_k: int = 0) -> Document:
        """
        The sentences of one input, with the entities that came with it; a model without relations has no use for these,
        and finds its own.
        """
        if isinstance(inputs, BadLine):
            raise ConfigurationError(inputs["error"])
        document = Document.of_json(inputs, self.tokenizer, self.sentence_splitter)
        if self.labels.has_relations and inputs.get("entities") is not None:
            document.sentences = list(with_given(document.sentences, inputs, self.labels, top_k))
        return document

    def annotate(self, documents: Sequence[Document], top_k: int = 0) -> None:
        """Give every document its predictions, in batches that do not care which document a sentence is from."""
        sentences = [sentence for document in documents for sentence in document.sentences]
        predictions = iter(self._predictions(sentences, top_k))
        for document in documents:
            document.predictions = [next(predictions) for _ in document.sentences]

    def _failure(self, given: Any, error: Exception) -> Output:
        """The output of an input that cannot be used; in strict mode there is none."""
        message = error.message if isinstance(error, ConfigurationError) else f"{type(error).__name__}: {error}"
        line = given.line if isinstance(given, Line) else None
        if self.strict:
            raise ConfigurationError(message if line is None else f"Line {line}: {message}") from error
        return {"error": message} if line is None else {"error": message, "line": line}

    def _annotate_apart(self, documents: dict[int, Document], top_k: int) -> dict[int, Exception]:
        """As `annotate`; if the model fails, find the documents at which it does, and say why."""
        try:
            self.annotate(list(documents.values()), top_k)
            return {}
        except Exception as error:
            if len(documents) == 1:
                return dict.fromkeys(documents, error)
        numbers = list(documents)
        half = len(numbers) // 2
        failed: dict[int, Exception] = {}
        for part in (numbers[:half], numbers[half:]):
            failed.update(self._annotate_apart({number: documents[number] for number in part}, top_k))
        return failed

    def _predictions(self, sentences: Sequence[Sentence], top_k: int) -> list[Prediction]:
        spans = [self.windows(sentence) for sentence in sentences]
        pieces = [piece for sentence, cuts in zip(sentences, spans) for piece in cut(sentence, cuts)]
        rest = iter(self.read(pieces, top_k))
        return [
            of_sentence(sentence, cuts, [next(rest) for _ in cuts], top_k) for sentence, cuts in zip(sentences, spans)
        ]

    def read(self, pieces: Sequence[Sentence], top_k: int = 0) -> list[Prediction]:
        """The prediction of each piece, each of which fits into the model."""
        found: list[Prediction] = [Prediction(taggings=[Tagging(0.0, ())]) for _ in pieces]
        for batch in self.batches(pieces):
            for number, prediction in zip(batch, self._forward([pieces[number] for number in batch], top_k)):
                found[number] = prediction
        return found

    def windows(self, sentence: Sentence) -> list[Span]:
        """The parts of a sentence that fit into the model; one, if all of it does."""
        length, size = len(sentence.tokens), self.max_sentence_tokens
        cuts = windows(length, size, self.window_overlap)
        while size > 1 and not self._forward.fits([sentence.tokens[start:end] for start, end in cuts]):
            size //= 2
            cuts = windows(length, size, min(self.window_overlap, size // 4))
        return cuts

    def batches(self, pieces: Sequence[Sentence]) -> Iterator[list[int]]:
        """Numbers of pieces of similar length, within the budget of tokens; those without tokens are in none."""
        return token_batches(self._forward.lengths(pieces), self.max_tokens_per_batch)
