"""
A model as a component of a spaCy pipeline:

    nlp = spacy.blank("en")
    nlp.add_pipe("ner_zoo", config={"archive": "model.tar.gz"})

The model reads the text of a `Doc` with its own tokenizer, like `allennlp annotate`, and finds the same entities. They
are aligned with spaCy's tokens: an entity that ends inside a token is extended to the whole token.

    doc.spans["ner_zoo"]        all contiguous entities; `attrs["scores"]` contains their probabilities
    doc.ents                    the non-overlapping ones, widest first
    doc._.ner_zoo_relations     (head span, type, tail span, score) for each relation
    doc._.ner_zoo               everything, including discontinuous entities, in the format of `allennlp predict`
"""

import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import filter_spans, minibatch

from ner_zoo.annotator import Annotator
from ner_zoo.platform.configuration_error import ConfigurationError

KEY = "ner_zoo"
ARCHIVE = "model.tar.gz"
SETTINGS = "settings.json"
DEFAULTS = {"archive": "", "overwrite_ents": True, "threshold": 0.0, "nested": True}


def relations_of(doc: Doc) -> list[tuple[Span | None, str, Span | None, float]]:
    """Computed on demand: a `Doc` that is sent to another process can contain only plain data."""
    if doc._.ner_zoo is None:
        return []
    spans = [span_on_tokens(doc, entity) for entity in doc._.ner_zoo["entities"]]
    return [(spans[one["head"]], one["type"], spans[one["tail"]], one["score"]) for one in doc._.ner_zoo["relations"]]


Doc.set_extension("ner_zoo", default=None, force=True)
Doc.set_extension("ner_zoo_relations", getter=relations_of, force=True)


@Language.factory(KEY, default_config=DEFAULTS, assigns=["doc.ents", "doc.spans"])
def make_component(
    nlp: Language, name: str, archive: str, overwrite_ents: bool, threshold: float, nested: bool
) -> "NerZooComponent":
    return NerZooComponent(archive, overwrite_ents, threshold, nested)


class NerZooComponent:
    """
    archive : a model archive, the name of a model that ships with ner_zoo, or an exported model, which runs without
        torch. It is loaded when the first text arrives.
    overwrite_ents : replace existing entities in `doc.ents`; otherwise add those that do not overlap them.
    threshold, nested : see `allennlp predict`.
    """

    def __init__(self, archive: str, overwrite_ents: bool = True, threshold: float = 0.0, nested: bool = True) -> None:
        self.archive = archive
        self.overwrite_ents = overwrite_ents
        self.threshold = threshold
        self.nested = nested
        self._model: Annotator | None = None
        self._kept: tempfile.TemporaryDirectory | None = None

    def loaded(self) -> Annotator:
        """
        Not a property called `model`: before Python 3.12, spaCy reads such a property of every component when it links
        a pipeline, which would load the model before the first text.
        """
        if self._model is None:
            if not self.archive:
                raise ConfigurationError(
                    'The component ner_zoo has no model. Set one: nlp.add_pipe("ner_zoo", config={"archive": '
                    '"model.tar.gz"}).'
                )
            self._model = load_model(self.archive)
        return self._model

    @property
    def labels(self) -> tuple[str, ...]:
        """Empty until the model is loaded: spaCy reads this while loading a pipeline, before the model is available."""
        return self._model.labels if self._model is not None else ()

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 512) -> Iterator[Doc]:
        """Annotates several documents at once, batching sentences of similar length."""
        for docs in minibatch(stream, batch_size):
            texts = [doc.text for doc in docs]
            found = self.loaded().pipe(texts, self.threshold, nested=self.nested, at_once=len(texts))
            for doc, one in zip(docs, found):
                self.annotate(doc, one.to_dict())
                yield doc

    def annotate(self, doc: Doc, prediction: dict[str, Any]) -> None:
        spans = [span_on_tokens(doc, entity) for entity in prediction["entities"]]
        contiguous = [(span, one["score"]) for span, one in zip(spans, prediction["entities"]) if span is not None]
        doc.spans[KEY] = [span for span, _ in contiguous]
        doc.spans[KEY].attrs["scores"] = [score for _, score in contiguous]
        kept = [] if self.overwrite_ents else list(doc.ents)
        taken = {token.i for span in kept for token in span}
        added = filter_spans(span for span, _ in contiguous if not taken.intersection(range(span.start, span.end)))
        doc.ents = [*kept, *added]
        doc._.ner_zoo = prediction

    def settings(self) -> dict[str, Any]:
        return {"overwrite_ents": self.overwrite_ents, "threshold": self.threshold, "nested": self.nested}

    def to_disk(self, path: Any, *, exclude: Iterable[str] = ()) -> None:
        """Saves the model itself and the settings, so that the pipeline can be moved to another machine."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SETTINGS).write_text(json.dumps(self.settings()))
        (folder / ARCHIVE).write_bytes(self._archive_bytes())

    def from_disk(self, path: Any, *, exclude: Iterable[str] = ()) -> "NerZooComponent":
        folder = Path(path)
        if not (folder / ARCHIVE).is_file():
            raise ConfigurationError(f"The pipeline has no model: {folder / ARCHIVE} is missing.")
        self._restore(str(folder / ARCHIVE), json.loads((folder / SETTINGS).read_text()))
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        return json.dumps(self.settings()).encode() + b"\n" + self._archive_bytes()

    def from_bytes(self, content: bytes, *, exclude: Iterable[str] = ()) -> "NerZooComponent":
        settings, _, archive = content.partition(b"\n")
        self._kept = tempfile.TemporaryDirectory()
        path = Path(self._kept.name) / ARCHIVE
        path.write_bytes(archive)
        self._restore(str(path), json.loads(settings))
        return self

    def _restore(self, archive: str, settings: dict[str, Any]) -> None:
        self.archive, self._model = archive, None
        self.overwrite_ents, self.threshold = settings["overwrite_ents"], settings["threshold"]
        self.nested = settings["nested"]

    def _archive_bytes(self) -> bytes:
        from ner_zoo.platform.pretrained import model_path

        path = Path(model_path(self.archive))
        if path.is_dir():
            path = path / ARCHIVE
        if not path.is_file():
            raise ConfigurationError(f"The model {self.archive} cannot be saved because the file does not exist.")
        return path.read_bytes()

    def __reduce__(self) -> Any:
        """For `nlp.pipe(texts, n_process=2)`: each process loads the model itself."""
        return NerZooComponent, (self.archive, self.overwrite_ents, self.threshold, self.nested)


def load_model(archive: str) -> Annotator:
    """Loads an archive or an exported model."""
    from ner_zoo.light.export_file import is_export

    if is_export(archive):
        from ner_zoo.light import load as load_export

        return load_export(archive)
    from ner_zoo.api import load

    return load(archive)


def span_on_tokens(doc: Doc, entity: dict[str, Any]) -> Span | None:
    """The entity on spaCy's tokens; `None` if it is discontinuous."""
    if len(entity["fragments"]) > 1:
        return None
    return doc.char_span(entity["start"], entity["end"], label=entity["type"], alignment_mode="expand")
