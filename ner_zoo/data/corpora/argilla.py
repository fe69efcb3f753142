"""
Argilla 2 records with a span question, as written by `dataset.records.to_json`.

    [{"id": "7", "fields": {"text": "Ada moved to Lune."}, "suggestions": {},
      "responses": {"entities": [{"user_id": "5c1", "value": [{"label": "PER", "start": 0, "end": 3}]}]}}]
"""

from collections.abc import Iterator
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Tokenizer
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Mention, check_inside
from ner_zoo.data.corpora.annotators import of_annotator
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.json_lines import Record, checked, field, get, objects
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import SentenceSplitter


@Corpus.register("argilla")
class Argilla(RawTextCorpus):
    """
    question : name of the span question; required only if there is more than one question.
    annotator : `user_id` of the annotator to read if a record has several responses.
    suggestions : read the suggestions of models instead of responses.
    text_field : name of the text field; required only if there is no "text" and more than one other field.
    """

    patterns = ("*.json",)

    def __init__(
        self,
        question: str | None = None,
        annotator: str | None = None,
        suggestions: bool = False,
        text_field: str | None = None,
        tokenizer: Tokenizer | None = None,
        sentence_splitter: SentenceSplitter | None = None,
        encoding: str | None = None,
    ) -> None:
        super().__init__(tokenizer, sentence_splitter, encoding)
        self.question = question
        self.annotator = annotator
        self.suggestions = suggestions
        self.text_field = text_field

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        is_ours = sample.every(lambda record: isinstance(record.get("fields"), dict) and "responses" in record)
        return 'its records have "fields" and "responses"' if is_ours else None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        for number, (source, record) in enumerate(objects(file, repairs, self.encoding), 1):
            source = f"{source} (record {record.get('id', number)})"
            text = self._one(get(record, "fields", dict, source), self.text_field, "text", "text_field", source)
            text = checked(text, str, "the text", source)
            spans = self._spans(record, source)
            if spans is None:
                repairs.add(f"record without a {'suggestion' if self.suggestions else 'response'} left out", source)
                continue
            mentions = {str(place): _mention(span, text, source) for place, span in enumerate(spans)}
            yield from self.sentences_of(AnnotatedText(text, source, mentions), repairs)

    def _spans(self, record: Record, source: str) -> list[Any] | None:
        """The spans of the selected suggestion or response."""
        name = "suggestions" if self.suggestions else "responses"
        answers = get(record, name, dict, source, default={})
        if not answers:
            return None
        answer = self._one(answers, self.question, "entities", "question", source)
        if self.suggestions:
            return get(checked(answer, dict, "a suggestion", source), "value", list, source)
        listed = [checked(value, dict, "a response", source) for value in checked(answer, list, "responses", source)]
        chosen = of_annotator([(str(r.get("user_id")), r) for r in listed], self.annotator, source)
        return None if chosen is None else get(chosen, "value", list, source)

    @staticmethod
    def _one(values: Record, name: str | None, usual: str, option: str, source: str) -> Any:
        """The value under the given name, under the usual name, or the only value."""
        name = name or (usual if usual in values else next(iter(values)) if len(values) == 1 else None)
        if name not in values:
            raise ConfigurationError(f"{source} has {sorted(values)[:12]}. Set `{option}` to one of these.")
        return values[name]


def _mention(value: Any, text: str, source: str) -> Mention:
    span = checked(value, dict, "a span", source)
    fragment = (get(span, "start", int, source), get(span, "end", int, source))
    mention = Mention(field(span, ("label", "type"), str, source), (fragment,), source)
    check_inside(text, mention.fragments, f"a span with the label {mention.type!r}", source)
    return mention
