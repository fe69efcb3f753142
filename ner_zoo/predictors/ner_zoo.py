"""
The predictor of all models: text in; tokens, entities and relations with character offsets and probabilities out.

    line or JSON -> Document -> sentences -> windows -> batches -> model -> predictions -> JSON
"""

from collections.abc import Iterator, Sequence
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model
from allennlp.predictors import Predictor
from overrides import overrides

from ner_zoo.annotation import Sentence, Span
from ner_zoo.data.token_budget import token_batches
from ner_zoo.labels.prediction import Prediction, Tagging
from ner_zoo.predictors.document import Document
from ner_zoo.predictors.encoder_precision import set_precision
from ner_zoo.predictors.forward import Forward
from ner_zoo.predictors.given_entities import with_given
from ner_zoo.predictors.line import BadLine, Line, read_line, write_line
from ner_zoo.predictors.options import Options
from ner_zoo.predictors.windows import cut, of_sentence, windows


@Predictor.register("ner_zoo")
class NerZooPredictor(Predictor):
    """
    threshold, top_k, nested : what of the predictions is wanted, see `Options`.
    max_tokens_per_batch : sentences of similar length go through the model together, padded to at most this many
        tokens; by default 4096 or, for a pretrained encoder, 1024 word pieces.
    max_sentence_tokens : a longer sentence is read through windows of this size, see `windows`.
    window_overlap : how many tokens neighbouring windows share at least.
    precision : how a pretrained encoder computes, see `encoder_precision`.
    strict : stop at an input that cannot be used; by default its output says what is wrong with it, and the rest goes
        on.
    """

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        frozen: bool = True,
        threshold: float = 0.0,
        top_k: int = 0,
        nested: bool = True,
        max_tokens_per_batch: int | None = None,
        max_sentence_tokens: int = 512,
        window_overlap: int = 128,
        strict: bool = False,
        precision: str = "float",
    ) -> None:
        super().__init__(model, dataset_reader, frozen)
        set_precision(model, precision)
        if max_tokens_per_batch is not None and max_tokens_per_batch < 1:
            raise ConfigurationError(f"max_tokens_per_batch is {max_tokens_per_batch}. Give 1 or more.")
        if not 0 <= window_overlap < max_sentence_tokens:
            raise ConfigurationError(
                f"window_overlap is {window_overlap} and max_sentence_tokens {max_sentence_tokens}. Give an overlap of "
                "0 or more, and longer windows."
            )
        self.options = Options(threshold, top_k, nested)
        self.max_sentence_tokens = max_sentence_tokens
        self.window_overlap = window_overlap
        self.strict = strict
        self._forward = Forward(model, dataset_reader)
        self.max_tokens_per_batch = max_tokens_per_batch or (1024 if self._forward.has_encoder else 4096)
        self.labels = self._forward.labels
        self._lines = 0

    @overrides
    def load_line(self, line: str) -> JsonDict:
        """A JSON object, or else a line of text. Lines are numbered in the order of the calls."""
        self._lines += 1
        return read_line(line.encode("utf-8", "surrogatepass"), self._lines)

    @overrides
    def dump_line(self, outputs: JsonDict) -> str:
        return write_line(outputs)

    @overrides
    def predict_json(self, inputs: JsonDict) -> JsonDict:
        return self.predict_batch_json([inputs])[0]

    @overrides
    def predict_batch_json(self, inputs: list[JsonDict]) -> list[JsonDict]:
        return self.predict_all(inputs)

    @overrides
    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    @overrides
    def predict_batch_instance(self, instances: list[Instance]) -> list[JsonDict]:
        documents = [Document.of_sentence(instance["metadata"].metadata) for instance in instances]  # type: ignore
        self.annotate(documents, self.options.top_k)
        return [document.to_json(self.options) for document in documents]

    def predict_all(self, inputs: Sequence[Any], options: Sequence[Options] | None = None) -> list[JsonDict]:
        """The output of each input, in order, by its own options; of one that cannot be used, what is wrong with it."""
        options = [self.options] * len(inputs) if options is None else options
        outputs: list[JsonDict] = [{} for _ in inputs]
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
        reader: Any = self._dataset_reader
        document = Document.of_json(inputs, reader.tokenizer, reader.sentence_splitter)
        if self.labels.has_relations and inputs.get("entities") is not None:
            document.sentences = list(with_given(document.sentences, inputs, self._model, top_k))
        return document

    def annotate(self, documents: Sequence[Document], top_k: int = 0) -> None:
        """Give every document its predictions, in batches that do not care which document a sentence is from."""
        sentences = [sentence for document in documents for sentence in document.sentences]
        predictions = iter(self._predictions(sentences, top_k))
        for document in documents:
            document.predictions = [next(predictions) for _ in document.sentences]

    def _failure(self, given: Any, error: Exception) -> JsonDict:
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

    def structures(self, pieces: Sequence[Sentence]) -> Iterator[tuple[list[int], Any]]:
        """What the model says of the pieces, to be read with its labels: batch by batch, with their numbers."""
        for batch in self.batches(pieces):
            yield batch, self._forward.structure([pieces[number] for number in batch])

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
