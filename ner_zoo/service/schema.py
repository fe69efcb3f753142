"""
Types of requests and responses: they validate requests and define the OpenAPI schema.
"""

import json
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import from_json

from ner_zoo.predictors.document import input_key
from ner_zoo.predictors.options import Options
from ner_zoo.service.limits import Limits, Refused

TEXT = "Ada Lovelace lived in London."
MOST_TAGGINGS = 20


class StrictModel(BaseModel):
    """Forbids unknown keys, and numbers in quotes."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _whole(value: Any) -> Any:
    """20.0 is an integer in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class RequestOptions(StrictModel):
    threshold: float = Field(0.0, ge=0, le=1, description="Drop predictions with a lower probability.")
    top_k: Annotated[int, BeforeValidator(_whole)] = Field(
        0, ge=0, le=MOST_TAGGINGS, description="Also return this many alternative taggings."
    )
    nested: bool = Field(True, description="Whether entities may overlap.")
    model: str | None = Field(None, description="The name of a model (default: the first one in `/models`).")

    def options(self) -> Options:
        return Options(self.threshold, self.top_k, self.nested)


class GivenEntity(StrictModel):
    type: str
    start: Annotated[int, BeforeValidator(_whole)] = Field(
        ge=0, description="Half-open, in characters of the text; in tokens, if the input is `tokens`."
    )
    end: Annotated[int, BeforeValidator(_whole)] = Field(ge=1)
    text: str | None = Field(None, description="If present, checked against the offsets.")
    fragments: list[Any] | None = Field(None, description="As in predictions; only contiguous entities are accepted.")
    score: float | None = Field(None, description="As in predictions; ignored.")


class Input(StrictModel):
    entities: list[GivenEntity] | None = Field(
        None,
        description="Predict the relations between exactly these entities; only for models with relations.",
        examples=[[{"type": "PER", "start": 0, "end": 2}]],
    )


class Text(Input):
    text: str = Field(description="Raw text of one or more sentences.", examples=[TEXT])


class SentenceInput(Input):
    sentence: str = Field(description="Same as `text`; AllenNLP's name for it.", examples=[TEXT])


class Tokens(Input):
    tokens: list[Annotated[str, Field(min_length=1)]] = Field(
        description="A tokenised sentence.", examples=[[*TEXT[:-1].split(), "."]]
    )


class TextRequest(Text, RequestOptions):
    pass


class SentenceRequest(SentenceInput, RequestOptions):
    pass


class TokensRequest(Tokens, RequestOptions):
    pass


class BatchRequest(RequestOptions):
    inputs: list[Text | SentenceInput | Tokens] = Field(
        description="Several inputs, answered in order.",
        examples=[[{"text": TEXT}, {"tokens": ["Hello", "London"]}]],
    )


Request = TextRequest | SentenceRequest | TokensRequest | BatchRequest
REQUESTS: dict[str, type[RequestOptions]] = {
    "text": TextRequest,
    "sentence": SentenceRequest,
    "tokens": TokensRequest,
    "inputs": BatchRequest,
}


class TokenSpan(BaseModel):
    text: str = Field(description="The token as in the text.")
    start: int = Field(description="Start offset in characters.")
    end: int = Field(description="End offset in characters (exclusive).")


class EntitySpan(BaseModel):
    type: str = Field(description="One of the model's entity types.")
    text: str = Field(description="The entity as in the text; fragments are joined by spaces.")
    fragments: list[tuple[int, int]] = Field(min_length=1, description="Half-open character offsets.")
    start: int = Field(description="Start of its first fragment.")
    end: int = Field(description="End of its last fragment.")
    score: float = Field(ge=0, le=1, description="The probability of exactly this entity.")


class RelationSpan(BaseModel):
    type: str = Field(description="One of the model's relation types.")
    head: int = Field(ge=0, description="Index of the first entity in `entities`, from 0.")
    tail: int = Field(ge=0, description="Index of the second entity.")
    score: float = Field(ge=0, le=1, description="The probability of this relation between these entities.")


class TaggingSpan(BaseModel):
    entities: list[EntitySpan] = Field(description="The entities of this tagging.")
    score: float = Field(description="The probability of the whole tagging.")


class Prediction(BaseModel):
    """An output of the predictor; also the input of `/render`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": TEXT,
                    "tokens": [{"text": "Ada", "start": 0, "end": 3}],
                    "sentences": [[0, 29]],
                    "entities": [
                        {
                            "type": "PER",
                            "text": "Ada Lovelace",
                            "fragments": [[0, 12]],
                            "start": 0,
                            "end": 12,
                            "score": 0.97,
                        }
                    ],
                    "relations": [],
                }
            ]
        }
    )
    text: str = Field(description="The input text; tokens are joined by spaces.")
    tokens: list[TokenSpan] = Field(description="The model's tokens.")
    sentences: list[tuple[int, int]] = Field([], description="Half-open character offsets of the sentences.")
    entities: list[EntitySpan] = Field(description="The predicted entities in text order.")
    relations: list[RelationSpan] = Field([], description="Relations between these entities.")
    taggings: list[TaggingSpan] | None = Field(None, description="With `top_k`: the most probable taggings.")

    @model_validator(mode="after")
    def inside(self) -> "Prediction":
        """Rejects entities outside the text, and relations of entities that do not exist."""
        for number, entity in enumerate(self.entities):
            for start, end in entity.fragments:
                if not 0 <= start < end <= len(self.text):
                    raise ValueError(
                        f"entities.{number} has the fragment [{start}, {end}], but the text has {len(self.text)} "
                        f"characters. Use half-open character offsets."
                    )
        for number, relation in enumerate(self.relations):
            if max(relation.head, relation.tail) >= len(self.entities):
                raise ValueError(
                    f"relations.{number} is between the entities {relation.head} and {relation.tail}, but there are "
                    f"{len(self.entities)}. Count them from 0."
                )
        return self


class Problem(BaseModel):
    error: str = Field(
        description="What is wrong, and what to do.",
        examples=["A request must have one of text, sentence, tokens and inputs."],
    )


class Outputs(BaseModel):
    outputs: list[Prediction | Problem] = Field(
        description="One output per input, or an error for an input that cannot be used."
    )


class ModelInfo(BaseModel):
    name: str = Field(description="The value of `model` in requests.")


class Models(BaseModel):
    models: list[ModelInfo] = Field(description="The loaded models, the default first.")


class Health(BaseModel):
    status: str = Field(description="Always `ok`.", examples=["ok"])
    ready: bool = Field(description="Whether the service accepts requests.")
    models: list[str] = Field(description="The names of the models.")


def parse_json(body: bytes) -> Any:
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError as error:
        if has_lone_surrogate(body):
            raise Refused(
                422, "A string in the body contains an unpaired surrogate, which is not a character."
            ) from None
        raise Refused(400, f"The body is not JSON: {error}.") from None


def has_lone_surrogate(body: bytes) -> bool:
    """Whether the body is valid JSON except for an escaped unpaired surrogate, which JSON allows but UTF-8 does not."""
    try:
        json.dumps(json.loads(body), ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    except (ValueError, RecursionError):
        return False
    return False


def parse_request(body: bytes, limits: Limits) -> tuple[RequestOptions, list[dict[str, Any]]]:
    """Parses a body into options and inputs; refuses invalid requests and those that exceed the limits."""
    content = parse_json(body)
    given = [key for key in REQUESTS if isinstance(content, dict) and key in content]
    if len(given) != 1:
        raise Refused(422, "The body must be a JSON object with one of text, sentence, tokens and inputs.")
    request = checked(REQUESTS[given[0]], content)
    if isinstance(request, BatchRequest):
        inputs = [one.model_dump(exclude_none=True) for one in request.inputs]
    else:
        inputs = [{given[0]: content[given[0]]}]
        if request.entities is not None:
            inputs[0]["entities"] = [one.model_dump(exclude_none=True) for one in request.entities]
    if len(inputs) > limits.max_inputs:
        raise Refused(422, f"The request has {len(inputs)} inputs; at most {limits.max_inputs} are accepted.")
    lengths = [characters_of(one) for one in inputs]
    if max(lengths, default=0) > limits.max_text_characters:
        raise Refused(413, f"A text has {max(lengths)} characters; at most {limits.max_text_characters} are accepted.")
    if sum(lengths) > limits.max_request_characters:
        raise Refused(
            413,
            f"The inputs have {sum(lengths)} characters together; at most {limits.max_request_characters} are accepted "
            "in one request. Send them in several.",
        )
    return request, inputs


def characters_of(given: dict[str, Any]) -> int:
    """The length of a text, or of tokens joined by spaces."""
    value = given[input_key(given)]
    return len(value) if isinstance(value, str) else sum(map(len, value)) + len(value)


def checked(kind: Any, content: Any) -> Any:
    """Validates the content as `kind`; errors give the location and the reason, but do not repeat the content."""
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        details = error.errors(include_input=False, include_url=False, include_context=False)
        first = [f"{'.'.join(map(str, detail['loc'])) or 'body'}: {detail['msg']}" for detail in details[:3]]
        raise Refused(422, "; ".join(first)) from None
