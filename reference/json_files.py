"""The page on JSON: what goes in and out of prediction and the service, and the files that commands write."""

import json
from typing import Any

from pydantic import BaseModel

from ner_zoo.service import schema
from reference.files import FILES
from reference.markdown import document, table

MODELS: dict[str, tuple[type[BaseModel], ...]] = {
    "Requests to the service": (schema.TextRequest, schema.SentenceRequest, schema.TokensRequest, schema.BatchRequest),
    "Predictions": (schema.Prediction, schema.TokenSpan, schema.EntitySpan, schema.RelationSpan, schema.TaggingSpan),
    "Other answers of the service": (schema.Outputs, schema.Problem, schema.Models, schema.Health),
}


def type_of(field: dict[str, Any]) -> str:
    """A JSON schema's type in a few words."""
    if "$ref" in field:
        return field["$ref"].rpartition("/")[2]
    if "anyOf" in field:
        return " or ".join(type_of(one) for one in field["anyOf"])
    if field.get("type") == "array":
        inner = field.get("items") or {"anyOf": field.get("prefixItems", [])}
        names = dict.fromkeys(type_of(inner).split(" or "))
        return f"list of {' or '.join(names)}"
    return field.get("type", "any")


def model(cls: type[BaseModel]) -> str:
    content = cls.model_json_schema()
    needed = set(content.get("required", ()))
    rows = [
        (f"`{name}`", type_of(field), default(name, field, needed), field.get("description", ""))
        for name, field in content["properties"].items()
    ]
    return f"### {cls.__name__}\n\n" + table(("field", "type", "default", "description"), rows)


def default(name: str, field: dict[str, Any], needed: set[str]) -> str:
    return "required" if name in needed else f"`{json.dumps(field.get('default'))}`"


def files() -> str:
    pieces = ["## Files that commands write"]
    for name, (introduction, fields) in FILES.items():
        rows = [(f"`{path}`", text) for path, text in fields.items()]
        pieces.append(f"### {name}\n\n{introduction}\n\n" + table(("field", "meaning"), rows))
    return "\n\n".join(pieces)


def page() -> str:
    sections = ["\n\n".join([f"## {title}", *map(model, classes)]) for title, classes in MODELS.items()]
    return document(
        "JSON",
        "`allennlp predict`, `annotate` and the service use the same objects. The service publishes them as OpenAPI at "
        "`/docs` and `/openapi.json`. Offsets are half-open and count Unicode characters of the text as given.",
        *sections,
        files(),
    )
