"""
Applies a model to texts, either in torch or as an exported model.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.predictors.conll import to_conll
from ner_zoo.predictors.given_entities import check_relations
from ner_zoo.predictors.options import Options
from ner_zoo.predictors.text_predictor import TextPredictor
from ner_zoo.rendering.render import to_html

# A text, the tokens of a sentence, or an object as for `allennlp predict`.
Input = str | Sequence[str] | dict[str, Any]


@dataclass(frozen=True)
class FoundEntity:
    """
    type, text : its type, and its text; the fragments of a discontinuous entity are joined by spaces.
    fragments : half-open character offsets in the document's text.
    score : the probability of exactly this entity.
    """

    type: str
    text: str
    fragments: tuple[tuple[int, int], ...]
    score: float

    @property
    def start(self) -> int:
        """The start of its first fragment, as a character offset."""
        return self.fragments[0][0]

    @property
    def end(self) -> int:
        """The end of its last fragment, as a character offset."""
        return self.fragments[-1][1]

    def to_dict(self) -> dict[str, Any]:
        """The entity as JSON."""
        return {**asdict(self), "start": self.start, "end": self.end}


@dataclass(frozen=True)
class FoundRelation:
    type: str
    head: FoundEntity
    tail: FoundEntity
    score: float


# (start, end, type) in characters of the text, or in tokens if the input is tokens; or an entity of a prediction.
GivenEntity = tuple[int, int, str] | dict[str, Any] | FoundEntity


class AnnotatedText:
    """A text with its predictions. Renders itself in notebooks."""

    def __init__(self, prediction: dict[str, Any]) -> None:
        self._prediction = prediction
        self.text: str = prediction["text"]

    @cached_property
    def tokens(self) -> list[str]:
        return [token["text"] for token in self._prediction["tokens"]]

    @cached_property
    def entities(self) -> list[FoundEntity]:
        return [
            FoundEntity(one["type"], one["text"], tuple((s, e) for s, e in one["fragments"]), one["score"])
            for one in self._prediction["entities"]
        ]

    @cached_property
    def relations(self) -> list[FoundRelation]:
        return [
            FoundRelation(one["type"], self.entities[one["head"]], self.entities[one["tail"]], one["score"])
            for one in self._prediction["relations"]
        ]

    def to_dict(self) -> dict[str, Any]:
        """The prediction as JSON, in the same format as `allennlp predict`."""
        return self._prediction

    def to_conll(self) -> str:
        """The prediction in columns with BIO tags."""
        return to_conll(self._prediction)

    def to_html(self) -> str:
        """The prediction as self-contained HTML."""
        return to_html(self._prediction)

    def to_spacy(self) -> Any:
        """
        The prediction as a spaCy `Doc`: all contiguous entities in `doc.spans["ner_zoo"]`, non-overlapping ones (widest
        first) in `doc.ents`, relations in `doc.user_data["relations"]`.
        """
        from ner_zoo.spacy_doc import to_spacy

        return to_spacy(self._prediction)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __repr__(self) -> str:
        found = ", ".join(f"{entity.text} [{entity.type}]" for entity in self.entities[:5])
        return f"<AnnotatedText of {len(self.tokens)} tokens: {found or 'no entities'}>"


class Annotator:
    """
    Annotates texts with a model: `model("text")`, `model(tokens=["one", "sentence"])`, `model.pipe(texts)`.

    archive : the archive it was loaded from.
    """

    def __init__(self, predictor: TextPredictor, archive: str = "") -> None:
        self.predictor = predictor
        self.archive = archive

    @property
    def labels(self) -> tuple[str, ...]:
        """The entity types of the model."""
        return tuple(self.predictor.labels.types)

    def __call__(
        self,
        text: str | None = None,
        tokens: Sequence[str] | None = None,
        threshold: float = 0.0,
        top_k: int = 0,
        nested: bool = True,
        entities: Sequence[GivenEntity] | None = None,
    ) -> AnnotatedText:
        """
        Annotates one text, or the tokens of one sentence. The options are those of `Options`.

        entities : predict the relations between exactly these entities, see `predictors.given_entities`.
        """
        if text is not None and not isinstance(text, str):
            raise ConfigurationError(
                f"model(...) takes one text, but got {type(text).__name__}. For several texts use model.pipe(texts); "
                f"for the tokens of one sentence use model(tokens=[...])."
            )
        if (text is None) == (tokens is None):
            raise ConfigurationError(
                "Pass either one text, model(text), or the tokens of one sentence, model(tokens=[...])."
            )
        if isinstance(tokens, str):
            raise ConfigurationError("tokens must be a list of strings, but got a string. Use model(text).")
        given: dict[str, Any] = {"text": text} if tokens is None else {"tokens": list(tokens)}
        if entities is not None:
            given["entities"] = [one.to_dict() if isinstance(one, FoundEntity) else one for one in entities]
        return next(self.pipe([given], threshold, top_k, nested))

    def __repr__(self) -> str:
        return f"<Annotator {self.archive} for {', '.join(self.labels)}>"

    def pipe(
        self,
        many: Iterable[Input],
        threshold: float = 0.0,
        top_k: int = 0,
        nested: bool = True,
        at_once: int = 512,
    ) -> Iterator[AnnotatedText]:
        """
        Annotates a stream of texts, in order; `at_once` texts are sorted into batches together. An item may be a text,
        a list of the tokens of one sentence, or an object with `text` or `tokens` and optionally `entities`.
        """
        if isinstance(many, str):
            raise ConfigurationError("pipe(...) takes several texts, but got a string. Use model(text).")
        options = Options(threshold, top_k, nested)
        stream = iter(many)
        while some := list(islice(stream, at_once)):
            inputs = [self._input(one) for one in some]
            for output in self.predictor.predict_all(inputs, [options] * len(inputs)):
                if "error" in output:
                    raise ConfigurationError(output["error"])
                yield AnnotatedText(output)

    def _input(self, given: Input) -> dict[str, Any]:
        if not isinstance(given, dict):
            return {"text": given} if isinstance(given, str) else {"tokens": list(given)}
        if given.get("entities") is not None:
            check_relations(self.predictor.labels)
        return given
