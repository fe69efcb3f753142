"""
Processes inputs step by step, with a bounded number of tokens at a time.

    inputs -> sentences (counted, refused if too many) -> windows -> turns of at most `turn_tokens` -> JSON
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from overrides import overrides

from ner_zoo.annotation import Sentence, Span
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.predictors.document import input_key, sentences_of
from ner_zoo.predictors.given_entities import with_given
from ner_zoo.predictors.options import Options
from ner_zoo.predictors.text_predictor import TextPredictor
from ner_zoo.predictors.windows import cut, of_sentence
from ner_zoo.service.limits import Limits, Refused
from ner_zoo.service.schema import characters_of
from ner_zoo.service.work import Piece, Steps, Work
from ner_zoo.service.written_answer import WrittenAnswer


@dataclass
class Part:
    """A sentence of an input: its windows, their predictions, and the response it belongs to."""

    sentence: Sentence
    windows: list[Span]
    pieces: list[Piece]
    answer: WrittenAnswer

    def finish(self, top_k: int) -> None:
        error = next((piece.error for piece in self.pieces if piece.error is not None), None)
        if error is not None:
            self.answer.fail(error)
        else:
            predictions = [piece.prediction for piece in self.pieces]
            self.answer.add(self.sentence, of_sentence(self.sentence, self.windows, predictions, top_k))


class Reading(Work):
    """
    inputs : checked by the schema: each has one of text, sentence and tokens, and optionally entities.
    options : options of all inputs.
    predictor : splits inputs into windows.
    limits : limits of tokens and of the response size.
    """

    def __init__(self, inputs: Sequence[Any], options: Options, predictor: TextPredictor, limits: Limits) -> None:
        characters = sum(map(characters_of, inputs))
        super().__init__(len(inputs), characters, characters <= limits.turn_characters)
        self.given = inputs
        self.options = options
        self.predictor = predictor
        self.limits = limits
        self.tokens = self.entities = 0

    @overrides
    def steps(self) -> Steps:
        answers = [WrittenAnswer(text_of(given), self.options) for given in self.given]
        sentences: list[tuple[Sentence, WrittenAnswer]] = []
        for given, answer in zip(self.given, answers):
            for sentence in self._sentences(given, answer):
                sentences.append((sentence, answer))
                if self._is_turn_over(sentence):
                    yield []
        turn: list[Piece] = []
        whole: list[Part] = []
        size = 0
        for part in map(self._part, sentences):
            for piece in part.pieces:
                if turn and size + len(piece.sentence.tokens) > self.limits.turn_tokens:
                    yield turn
                    self._write(whole, answers)
                    turn, whole, size = [], [], 0
                turn.append(piece)
                size += len(piece.sentence.tokens)
            whole.append(part)
        if turn:
            yield turn
        for part in whole:
            part.finish(self.options.top_k)
        written = [answer.written() for answer in answers]
        self._check_size(answers)
        self.entities = sum(answer.entities for answer in answers)
        return written

    def _sentences(self, given: Any, answer: WrittenAnswer) -> Iterator[Sentence]:
        """The sentences of one input; entities that do not match its text only fail this input."""
        if "tokens" in given:
            sentences = iter([Sentence(tuple(given["tokens"]))])
        else:
            sentences = sentences_of(text_of(given), self.predictor.tokenizer, self.predictor.sentence_splitter)
        if "entities" not in given:
            yield from sentences
            return
        try:
            yield from with_given(sentences, given, self.predictor.labels, self.options.top_k)
        except ConfigurationError as error:
            answer.fail(error)

    def _is_turn_over(self, sentence: Sentence) -> bool:
        """Whether a turn's worth of tokens has been produced since this was last true; refuses too many."""
        before = self.tokens
        self.tokens += len(sentence.tokens)
        weight = self.tokens * (1 + self.options.top_k)
        if weight > self.limits.max_request_tokens:
            and_taggings = f" with {self.options.top_k} taggings each" if self.options.top_k else ""
            raise Refused(
                413,
                f"The request has more than {self.tokens - 1} tokens{and_taggings}; at most "
                f"{self.limits.max_request_tokens} are accepted. Send the text in several requests.",
            )
        # Tokenising is faster than predicting.
        turn = 4 * self.limits.turn_tokens
        return before // turn < self.tokens // turn

    def _part(self, sentence_of_answer: tuple[Sentence, WrittenAnswer]) -> Part:
        sentence, answer = sentence_of_answer
        windows = self.predictor.windows(sentence)
        return Part(sentence, windows, [Piece(one, self.options.top_k) for one in cut(sentence, windows)], answer)

    def _write(self, parts: Sequence[Part], answers: Sequence[WrittenAnswer]) -> None:
        for part in parts:
            part.finish(self.options.top_k)
        for answer in answers:
            answer.write()
        self._check_size(answers)

    def _check_size(self, answers: Sequence[WrittenAnswer]) -> None:
        if sum(answer.size for answer in answers) > self.limits.max_output_bytes:
            raise Refused(
                413,
                f"The response is larger than {self.limits.max_output_bytes} bytes. Send the text in several "
                f"requests, or raise the threshold.",
            )


def text_of(given: Any) -> str:
    value = given[input_key(given)]
    return value if isinstance(value, str) else " ".join(value)
