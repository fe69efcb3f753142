"""
The `result` of an annotation in Label Studio: labelled regions of the text, and relations between regions.
"""

from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Span
from ner_zoo.data.corpora import utf16
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Link, Mention, check_inside
from ner_zoo.data.corpora.json_lines import Record, checked, get
from ner_zoo.data.repairs import Repairs

# Their offsets refer to the rendered page in a browser, which the export does not include.
OF_PAGES = ("hypertextlabels", "paragraphlabels")


class Results:
    """text, source, repairs : from the task."""

    def __init__(self, text: str, source: str, repairs: Repairs) -> None:
        self.text = text
        self.source = source
        self.repairs = repairs
        # A region with two labels becomes two entities; relations refer to the first.
        self.mentions: dict[str, Mention] = {}
        self.links: list[Link] = []

    def document(self, results: list[Any]) -> AnnotatedText:
        """The text with all results."""
        listed = [checked(value, dict, "a result", self.source) for value in results]
        regions = [result for result in listed if result.get("type") == "labels"]
        spans = self._spans([get(region, "value", dict, self.source) for region in regions])
        for number, (region, span) in enumerate(zip(regions, spans)):
            self._add_region(region, span, str(region.get("id", f"number {number}")))
        for result in listed:
            kind = get(result, "type", str, self.source)
            if kind == "relation":
                self._add_relation(result)
            elif kind in OF_PAGES:
                raise ConfigurationError(
                    f"{self.source} has regions of the type {kind}, whose offsets refer to a web page. Only Text "
                    f"objects with Labels can be read."
                )
            elif kind != "labels":
                self.repairs.add(f"result of the type {kind} ignored", self.source)
        return AnnotatedText(self.text, self.source, self.mentions, self.links)

    def _spans(self, values: list[Record]) -> list[Span]:
        """The character offsets of the regions."""
        given = [(get(value, "start", int, self.source), get(value, "end", int, self.source)) for value in values]
        texts = [value.get("text") for value in values]
        if any(isinstance(text, str) and self.text[start:end] != text for (start, end), text in zip(given, texts)):
            places = utf16.positions(self.text)
            moved = [(places.get(start, -1), places.get(end, -1)) for start, end in given]
            if all(self.text[start:end] == text for (start, end), text in zip(moved, texts)):
                self.repairs.add("offsets in UTF-16 units", self.source)
                given = moved
            else:
                self.repairs.add("region whose text does not match the task", self.source)
        return given

    def _add_region(self, region: Record, span: Span, key: str) -> None:
        labels = get(region["value"], "labels", list, self.source, default=[])
        if not labels:
            self.repairs.add("region without a label left out", self.source)
        for number, label in enumerate(labels):
            label = checked(label, str, "a label", self.source)
            check_inside(self.text, [span], f"a region with the label {label!r}", self.source)
            own = key if number == 0 else f"{key} label {number}"
            if own in self.mentions:
                raise ConfigurationError(f"{self.source} has two regions with the id {key}. Ids must be unique.")
            self.mentions[own] = Mention(label, (span,), self.source)

    def _add_relation(self, result: Record) -> None:
        head, tail = get(result, "from_id", str, self.source), get(result, "to_id", str, self.source)
        labels = get(result, "labels", list, self.source, default=[])
        direction = get(result, "direction", str, self.source, default="right")
        if direction not in ("right", "left", "bi"):
            raise ConfigurationError(
                f"{self.source}: the direction of a relation is {direction!r}. Expected right, left or bi."
            )
        if not labels:
            self.repairs.add("relation without a label left out", self.source)
        for label in labels:
            type = checked(label, str, "a label", self.source)
            if direction in ("right", "bi"):
                self.links.append(Link(type, head, tail, self.source))
            if direction in ("left", "bi"):
                self.links.append(Link(type, tail, head, self.source))
