"""
`/docs`: the OpenAPI schema as one readable page without external scripts.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from starlette.requests import Request

from ner_zoo.rendering.markdown import inline
from ner_zoo.rendering.marks import attribute


def documentation(schema: Mapping[str, Any], address: str, has_token: bool) -> str:
    """
    A page with every operation of the schema: its input, an example, and its responses.

    address : address of the service from the client's point of view. has_token : whether the service requires a token.
    """
    token = ' -H "Authorization: Bearer $NER_ZOO_TOKEN"' if has_token else ""
    operations = "".join(
        _operation(method, path, operation, schema, address, token)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    )
    title = attribute(schema["info"]["title"])
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<title>{title}: API</title><link rel="icon" href="static/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="static/page.css"><script src="static/theme.js"></script></head><body>'
        f"<header><h1>{title}</h1>"
        '<nav><a href=".">Page</a><a href="openapi.json">openapi.json</a></nav></header>'
        f'<main class="prose"><p>{attribute(schema["info"].get("description", ""))}</p>{operations}</main>'
        "</body></html>"
    )


def address_of(request: Request) -> str:
    """The address under which the client reached the service."""
    host = request.headers.get("host", "")
    if not re.fullmatch(r"[\w.:\[\]-]+", host):
        host = ":".join(map(str, request.scope["server"]))
    return f"{request.scope['scheme']}://{host}"


def _operation(
    method: str, path: str, operation: Mapping[str, Any], schema: Mapping[str, Any], address: str, token: str
) -> str:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    parts = [f"<p>{inline(operation.get('description', ''))}</p>", *_parameters(operation)]
    examples = [example["value"] for example in body.get("examples", {}).values()]
    for example in examples:
        text = json.dumps(example, ensure_ascii=False)
        quoted = text.replace("'", "'\\''")
        command = f"curl -s {address}{path}{token} -H 'Content-Type: application/json' -d '{quoted}'"
        parts.append(f"<pre><code>{attribute(command)}</code></pre>")
    if body.get("schema"):
        parts += ["<h3>Body</h3>", _fields(body["schema"], schema)]
    rows = "".join(
        f"<tr><td><code>{status}</code></td><td>{attribute(response['description'])}</td></tr>"
        for status, response in operation["responses"].items()
    )
    parts.append(f"<h3>Answers</h3><table><tbody>{rows}</tbody></table>")
    summary = (
        f'<span class="method">{method.upper()}</span><code>{attribute(path)}</code> {attribute(operation["summary"])}'
    )
    is_open = " open" if path == "/predict" else ""
    return f'<details class="operation"{is_open}><summary>{summary}</summary>{"".join(parts)}</details>'


def _parameters(operation: Mapping[str, Any]) -> Iterator[str]:
    for parameter in operation.get("parameters", []):
        name = f"{parameter['name']} ({parameter['in']})"
        yield f"<p><code>{attribute(name)}</code> {inline(parameter.get('description', ''))}</p>"


def _fields(kind: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """The fields of an object, or of each of several kinds of objects."""
    kinds = kind.get("anyOf", [kind])
    tables = []
    for one in kinds:
        named = _resolved(one, schema)
        required = named.get("required", [])
        rows = "".join(
            f"<tr><td><code>{attribute(name)}</code>{'' if name in required else ' (optional)'}</td>"
            f"<td>{attribute(_type(field))}</td><td>{inline(field.get('description', ''))}</td></tr>"
            for name, field in named.get("properties", {}).items()
        )
        tables.append(f"<h3>{attribute(named.get('title', ''))}</h3><table><tbody>{rows}</tbody></table>")
    return "".join(tables)


def _type(field: Mapping[str, Any]) -> str:
    if "$ref" in field:
        return field["$ref"].rpartition("/")[2]
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"])
    if field.get("type") == "array":
        return "list of " + _type(field.get("items", {"type": "pairs"}))
    bounds = [f"{word} {field[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in field]
    return " ".join([str(field.get("type", "any")), *bounds])


def _resolved(kind: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" not in kind:
        return dict(kind)
    return schema["components"]["schemas"][kind["$ref"].rpartition("/")[2]]
