"""
Renders a prediction as HTML or columns, through the same queue as predictions.

Nested entities need columns, crossing ones nested boxes, and names of types and entities are repeated. A small body can
therefore request a very large output: its size is estimated first.
"""

from collections.abc import Callable
from typing import Any

from overrides import overrides

from ner_zoo.predictors.conll import to_conll
from ner_zoo.rendering import render
from ner_zoo.service import schema
from ner_zoo.service.limits import Limits, Refused
from ner_zoo.service.work import Steps, Work

FORMATS: dict[str, Callable[[dict[str, Any]], str]] = {
    "html": render.to_document,
    "fragment": render.figure,
    "conll": to_conll,
}
# Approximate number of body bytes per character of text.
BODY_PER_CHARACTER = 10
# Bytes around the text of a mark, and of a row in the table of relations.
MARK = 200
ROW = 300


class Rendering(Work):
    """
    body : a prediction as JSON.
    format : one of `FORMATS`.
    limits : limits of text, tokens and output.
    """

    def __init__(self, body: bytes, format: str, limits: Limits) -> None:
        is_short = len(body) <= BODY_PER_CHARACTER * limits.turn_characters
        super().__init__(1, len(body) // BODY_PER_CHARACTER, is_short)
        self.body = body
        self.write = FORMATS[format]
        self.limits = limits

    @overrides
    def steps(self) -> Steps:
        prediction = schema.checked(schema.Prediction, schema.parse_json(self.body))
        self._check(prediction)
        if not self.is_short:
            yield []
        content = self.write(prediction.model_dump()).encode("utf-8")
        if len(content) > self.limits.max_output_bytes:
            raise self._too_large()
        return content

    def _check(self, prediction: schema.Prediction) -> None:
        for name, found, most in (
            ("characters", len(prediction.text), self.limits.max_text_characters),
            ("tokens", len(prediction.tokens), self.limits.max_request_tokens),
        ):
            if found > most:
                raise Refused(413, f"The text has {found} {name}; at most {most} are accepted.")
        if estimated_size(prediction) > self.limits.max_output_bytes:
            raise self._too_large()

    def _too_large(self) -> Refused:
        return Refused(
            413,
            f"The output would be larger than {self.limits.max_output_bytes} bytes because of deeply nested entities "
            f"or long names. Send less.",
        )


def estimated_size(prediction: schema.Prediction) -> int:
    """An upper bound of the output size in any format, in characters that need no escape."""
    spans = [fragment for entity in prediction.entities for fragment in entity.fragments]
    longest = max((len(entity.type) for entity in prediction.entities), default=0)
    depth = most_at_one_place(spans)
    # A mark is split wherever it crosses another, and contains the name of its type four times.
    marks = len(spans) * depth * (MARK + 4 * longest)
    # Entities nested `depth` deep fill at most twice as many columns.
    columns = len(prediction.tokens) * 2 * depth * (len("\tB-") + longest)
    texts = [len(entity.text) for entity in prediction.entities]
    rows = sum(ROW + 2 * len(one.type) + texts[one.head] + texts[one.tail] for one in prediction.relations)
    return len(prediction.text) + sum(len(token.text) for token in prediction.tokens) + marks + columns + rows


def most_at_one_place(spans: list[tuple[int, int]]) -> int:
    """The maximum number of spans that share a position."""
    # At the same position, ends come before starts.
    changes = sorted([(start, 1) for start, _ in spans] + [(end, -1) for _, end in spans])
    depth = most = 0
    for _, change in changes:
        depth += change
        most = max(most, depth)
    return most
