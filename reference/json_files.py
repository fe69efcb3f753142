"""The page on JSON: what goes in and out of prediction and the service, and the files that commands write."""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from pydantic import BaseModel

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.json_records import JsonWriter
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer
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


# "Ada Quill moved to Lune.", with a score for each annotation that a model predicted.
PERSON, PLACE = Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5)
MOVE = Relation("MOVES_TO", PERSON, PLACE)
OFFSETS = ((0, 3), (4, 9), (10, 15), (16, 18), (19, 23), (23, 24))
TOKENS = ("Ada", "Quill", "moved", "to", "Lune", ".")
ANNOTATED = Sentence(TOKENS, (PERSON, PLACE), (MOVE,), text="Ada Quill moved to Lune.", offsets=OFFSETS)
PREDICTED = ScoredSentence(ANNOTATED, "model", {PERSON: 0.98, PLACE: 0.91}, {MOVE: 0.87})


def tool_record(writer: JsonWriter) -> dict[str, Any]:
    """The record that a writer makes of the predicted sentence."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tasks.json"
        writer.write([PREDICTED], str(file), Repairs())
        content = json.loads(file.read_text(encoding="utf-8"))
    return content[0] if writer.is_list else content


def tool_files() -> str:
    pieces = [
        "## Exports for other tools\n\nThe record of the text "
        f"`{ANNOTATED.text}` with a predicted person, place and relation, in every format that is JSON. `allennlp "
        "annotate --format` writes such predictions. `allennlp convert --to` writes gold annotations, which have no "
        "scores. [Formats to write](readers.md#formats-to-write) lists all formats with their options."
    ]
    for name in sorted(Writer.list_available()):
        writer = cast(type[Writer], Writer.by_name(name))()
        if isinstance(writer, JsonWriter):
            form = "One JSON list of records." if writer.is_list else "One record per line."
            shown = json.dumps(tool_record(writer), indent=1, ensure_ascii=False)
            pieces.append(f"### `{name}`\n\n{form}\n\n```json\n{compact(shown)}\n```")
    return "\n\n".join(pieces)


def compact(text: str, width: int = 100) -> str:
    """Indented JSON in which the innermost lists and objects that are short are on one line."""
    inner = re.compile(r"([\[{])\s+([^\[\]{}]*?)\s+([\]}])")
    for _ in range(3):
        text = inner.sub(lambda found: folded(found, width), text)
    return text


def folded(found: re.Match[str], width: int) -> str:
    line = found[1] + re.sub(r"\s*\n\s*", " ", found[2]) + found[3]
    return line if len(line) <= width else found[0]


def page() -> str:
    sections = ["\n\n".join([f"## {title}", *map(model, classes)]) for title, classes in MODELS.items()]
    return document(
        "JSON",
        "`allennlp predict`, `annotate` and the service use the same objects. The service publishes them as OpenAPI at "
        "`/docs` and `/openapi.json`. Offsets are half-open and count Unicode characters of the text as given.",
        *sections,
        files(),
        tool_files(),
    )
