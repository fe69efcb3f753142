"""
Label Studio's export of a text labelling project, as JSON or as JSON-MIN, which has no relations.

    [{"id": 7, "data": {"text": "Ada moved to Lune."}, "annotations": [{"completed_by": 1, "result": [
        {"id": "a", "type": "labels", "value": {"start": 0, "end": 3, "text": "Ada", "labels": ["PER"]}, ...},
        {"type": "relation", "from_id": "a", "to_id": "b", "direction": "right", "labels": ["MOVES_TO"]}]}]}]
    [{"id": 7, "text": "Ada moved to Lune.", "annotator": 1,
      "label": [{"start": 0, "end": 3, "text": "Ada", "labels": ["PER"]}]}]

Offsets count characters. Exports of old versions count UTF-16 units: the interpretation under which the regions match
their text is used.
"""

from collections.abc import Iterator
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Tokenizer
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.annotated_text import AnnotatedText
from ner_zoo.data.corpora.annotators import of_annotator
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.json_lines import Record, checked, get, objects
from ner_zoo.data.corpora.label_studio_results import Results
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import SentenceSplitter


@Corpus.register("label_studio")
class LabelStudio(RawTextCorpus):
    """
    annotator : whose annotation to read if a text has several: an id or an e-mail address.
    predictions : read the predictions of models instead of annotations.
    text_field : name of the text field; required only if there is no "text" and more than one other string.
    """

    patterns = ("*.json", "*.jsonl")

    def __init__(
        self,
        annotator: int | str | None = None,
        predictions: bool = False,
        text_field: str | None = None,
        tokenizer: Tokenizer | None = None,
        sentence_splitter: SentenceSplitter | None = None,
        encoding: str | None = None,
        join_related: bool = True,
    ) -> None:
        super().__init__(tokenizer, sentence_splitter, encoding, join_related)
        self.annotator = annotator
        self.predictions = predictions
        self.text_field = text_field

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        if sample.every(_is_task):
            return 'its records have "data" with "annotations" or "predictions"'
        is_min = sample.every(lambda record: "data" not in record and bool(_regions(record) or _is_min(record)))
        has_regions = any(map(_regions, sample.records))
        return 'its records have regions with "start", "end" and "labels"' if is_min and has_regions else None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        annotators: dict[str, str] = {}  # for JSON-MIN, where a record is one annotation of a task
        for number, (source, record) in enumerate(objects(file, repairs, self.encoding), 1):
            task = str(record.get("id", number))
            source = f"{source} (task {task})"
            if "data" in record:
                document = self._of_task(record, repairs, source)
            else:
                document = self._of_min(record, annotators.get(task), repairs, source)
                annotators.setdefault(task, str(record.get("annotator")))
            if document is not None:
                yield from self.sentences_of(document, repairs)

    def _of_task(self, record: Record, repairs: Repairs, source: str) -> AnnotatedText | None:
        data = get(record, "data", dict, source)
        text = self._text(data, source)
        name = "predictions" if self.predictions else "annotations"
        if not self.predictions and "annotations" not in record and "completions" in record:
            name = "completions"
        listed = [checked(a, dict, "an annotation", source) for a in get(record, name, list, source, default=[])]
        found = [(_author(annotation), annotation) for annotation in listed if not annotation.get("was_cancelled")]
        truth = [(author, annotation) for author, annotation in found if annotation.get("ground_truth") is True]
        chosen = of_annotator(truth if len(truth) == 1 and self.annotator is None else found, self.annotator, source)
        if chosen is None:
            repairs.add(f"task without {name[:-1]} left out", source)
            return None
        return Results(text, source, repairs).document(get(chosen, "result", list, source, default=[]))

    def _of_min(self, record: Record, earlier: str | None, repairs: Repairs, source: str) -> AnnotatedText | None:
        """earlier : the annotator of the same task in an earlier record."""
        author = str(record.get("annotator"))
        if self.annotator is not None and author != str(self.annotator):
            repairs.add("annotation by another annotator left out", source)
            return None
        if self.annotator is None and earlier is not None:
            raise ConfigurationError(
                f"{source} has a second annotation by {author}, after one by {earlier}. Set `annotator` to one of them."
            )
        text = self._text(record, source)
        regions = [{"type": "labels", "value": value} for value in _regions(record)]
        if not regions and not _is_min(record):
            raise ConfigurationError(
                f'{source} has neither "data" and "annotations" (JSON) nor regions with "start", "end" and "labels" '
                f"(JSON-MIN); it has {sorted(record)[:12]}."
            )
        return Results(text, source, repairs).document(regions)

    def _text(self, data: Record, source: str) -> str:
        if self.text_field is not None:
            return get(data, self.text_field, str, source)
        if isinstance(data.get("text"), str):
            return data["text"]
        names = [name for name, value in data.items() if isinstance(value, str) and not name.endswith("_at")]
        if len(names) != 1:
            raise ConfigurationError(
                f"{source} has {len(names)} strings that may be the text: {names[:12]}. Set `text_field` to one of "
                f"them."
            )
        return data[names[0]]


def _author(annotation: Record) -> str:
    """The author of an annotation, a person or a model."""
    author = annotation.get("completed_by", annotation.get("model_version"))
    if isinstance(author, dict):
        author = author.get("email", author.get("id"))
    return str(author)


def _is_task(record: Record) -> bool:
    return isinstance(record.get("data"), dict) and bool({"annotations", "predictions", "completions"} & set(record))


def _is_min(record: Record) -> bool:
    """Whether a record without regions may still be JSON-MIN."""
    return "annotation_id" in record or "annotator" in record


def _regions(record: Record) -> list[Record]:
    """The regions of a JSON-MIN record, from all fields that contain nothing else."""
    lists = [value for value in record.values() if isinstance(value, list)]
    return [region for regions in lists if all(map(_is_region, regions)) for region in regions]


def _is_region(value: Any) -> bool:
    return isinstance(value, dict) and {"start", "end", "labels"} <= set(value)
