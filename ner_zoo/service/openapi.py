"""
Shared parts of the OpenAPI schema: bodies with examples, and error responses.
"""

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from ner_zoo.service import schema
from ner_zoo.service.limits import Limits

DESCRIPTION = "Entities and relations in text, with character offsets and probabilities."
REF = "#/components/schemas/{model}"

_LATER = {"Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer"}}}
_MEANINGS = {
    400: "The body is not JSON",
    401: "The token is missing or wrong",
    404: "The model does not exist",
    408: "The body did not arrive in time",
    413: "The body or a text is too large",
    422: "The body is JSON, but not a valid request",
    429: "The queue is full",
    503: "The service is starting or shutting down",
    504: "The model took too long",
}
ANSWERS: dict[Any, Any] = {
    status: {
        # Not FastAPI's `model`, which uses the media type of the route: errors are JSON even if responses are HTML.
        "content": {"application/json": {"schema": {"$ref": REF.format(model=schema.Problem.__name__)}}},
        "description": meaning,
        **({"headers": _LATER} if status in (429, 503) else {}),
    }
    for status, meaning in _MEANINGS.items()
}

EXAMPLES: dict[str, dict[str, Any]] = {
    "predict": {
        "text": {"summary": "A text", "value": {"text": schema.TEXT}},
        "tokens": {"summary": "Tokens", "value": {"tokens": ["Ada", "Lovelace", "lived", "in", "London", "."]}},
        "batch": {
            "summary": "Several inputs, with options",
            "value": {"inputs": [{"text": schema.TEXT}, {"text": "Nobody."}], "threshold": 0.5, "top_k": 2},
        },
    },
    "render": {
        "prediction": {
            "summary": "A prediction",
            "value": schema.Prediction.model_config["json_schema_extra"]["examples"][0],  # type: ignore[index,call-overload]
        }
    },
}
BODIES: dict[str, list[Any]] = {"predict": list(schema.REQUESTS.values()), "render": [schema.Prediction]}


def body_of(name: str) -> dict[str, Any]:
    """The request body of a route for FastAPI's `openapi_extra`: the routes read and check bodies themselves."""
    kinds = [{"$ref": REF.format(model=kind.__name__)} for kind in BODIES[name]]
    content = {"schema": {"anyOf": kinds} if len(kinds) > 1 else kinds[0], "examples": EXAMPLES[name]}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}


def with_components(app: FastAPI, limits: Limits) -> Callable[[], dict[str, Any]]:
    """`app.openapi` with the body types and the limits of this service, cached."""

    def openapi() -> dict[str, Any]:
        if not app.openapi_schema:
            whole = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            kinds = [(kind, "validation") for some in (*BODIES.values(), [schema.Problem]) for kind in some]
            _, definitions = models_json_schema(kinds, ref_template=REF)  # type: ignore[arg-type]
            components = whole.setdefault("components", {}).setdefault("schemas", {})
            for name, definition in definitions["$defs"].items():
                components.setdefault(name, definition)
            for definition in components.values():
                for name, field in definition.get("properties", {}).items():
                    if name in ("text", "sentence") and "description" in field:
                        field["maxLength"] = limits.max_text_characters
                    if name == "inputs":
                        field["maxItems"] = limits.max_inputs
            app.openapi_schema = whole
        return app.openapi_schema

    return openapi
