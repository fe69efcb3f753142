"""
The page on `use.*`: every config part with its arguments, and what it changes in an experiment.

The change is computed: an experiment is evaluated with and without the part, and the difference is shown.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allennlp.common.params import evaluate_snippet

import ner_zoo
from reference.markdown import document

FOLDER = Path(ner_zoo.__file__).parent / "jsonnet"
FILES = {
    "corpora": "Corpora",
    "inputs": "Inputs and encoders",
    "models": "Models, heads and decoders",
    "losses": "Losses",
    "training": "Training",
    "systems": "Systems",
}
PART = re.compile(
    r"(?P<comment>(?:^  //(?! ----).*\n)*)^  (?P<name>[a-z]\w*)(?P<arguments>\([^)]*\))?:+\s", re.MULTILINE
)
HEADER = (
    "local experiment = import 'ner_zoo/experiment.libsonnet';\nlocal use = import 'ner_zoo/use.libsonnet';\n"
    "local embedder = { type: 'embedding', embedding_dim: 50 };\n"
    "local word = { inputs+:: { example: { indexer: 'single_id', embedder: embedder } } };\n"
)
TAGGER = (
    "experiment + use.corpus('conll', 'train.txt', 'dev.txt') + use.tagger + word + use.bilstm(100) + use.crf + use.nll"
)
SPANS = TAGGER.replace("use.tagger", "use.span()").replace("use.crf + ", "")
JOINT = TAGGER.replace("use.tagger", "use.joint_relation()")
# The base of parts that are not for a tagger; and values for arguments without a default.
BASES = {
    "typing": SPANS,
    "biaffine": SPANS,
    "machine_reading": SPANS,
    "flat": SPANS,
    "nested": SPANS,
    "crossing": SPANS,
    "span": SPANS,
}
VALUES = {
    "reader": "'doccano'",
    "train": "'train.jsonl'",
    "validation": "'dev.jsonl'",
    "name": "'NAME_OR_FOLDER'",
    "file": "'FILE'",
    "dim": "100",
    "size": "32",
    "p": "0.5",
    "f1": "0.6",
    "config": "'CONFIG'",
    "start_epoch": "10",
    "archive": "'model.tar.gz'",
    "teacher": "'model.tar.gz'",
    "path": "'FILE'",
    "sources": "[use.dictionary({ PER: 'people.txt' })]",
    "questions": "{ PER: 'names of persons' }",
    "files": "{ PER: 'people.txt' }",
    "patterns": "{ DATE: '[0-9]{4}' }",
}
# Parts of use.weak, not of an experiment.
SOURCES = ("dictionary", "patterns", "predictions")


@dataclass(frozen=True)
class Part:
    name: str
    arguments: str | None
    comment: str

    @property
    def call(self) -> str:
        """The part with values for all required arguments."""
        if self.arguments is None:
            return f"use.{self.name}"
        needed = [one.strip() for one in split(self.arguments[1:-1]) if "=" not in one and one.strip()]
        call = f"use.{self.name}({', '.join(value(self.name, one) for one in needed)})"
        return f"use.weak([{call}])" if self.name in SOURCES else call


def split(arguments: str) -> list[str]:
    """Splits arguments at commas, but not inside brackets."""
    return re.split(r",(?![^\[{]*[\]}])", " ".join(arguments.split()))


def value(part: str, argument: str) -> str:
    return "'BIOES'" if (part, argument) == ("scheme", "name") else VALUES[argument]


def snippet(text: str) -> Any:
    return json.loads(evaluate_snippet("reference", text, ext_vars={"NER_ZOO_DATA": "$NER_ZOO_DATA"}))


def found() -> dict[str, list[Part]]:
    """The parts of each file, in its order."""
    known = set(snippet("std.objectFieldsAll(import 'ner_zoo/use.libsonnet')"))
    return {file: [part for part in written_in(file) if part.name in known] for file in FILES}


def written_in(file: str) -> Iterator[Part]:
    for match in PART.finditer((FOLDER / f"{file}.libsonnet").read_text(encoding="utf-8")):
        lines = [line.strip().removeprefix("//").strip() for line in match["comment"].splitlines()]
        arguments = " ".join(match["arguments"].split()) if match["arguments"] else None
        yield Part(match["name"], arguments, " ".join(lines))


def experiments(parts: list[Part]) -> dict[str, dict[str, Any]]:
    """The base of each part and the sum, by the text of the expression; all are evaluated at once."""
    texts = {TAGGER, SPANS, JOINT, *(f"{base_of(part)} + {part.call}" for part in parts)}
    fields = ",\n".join(f"{json.dumps(text)}: {text}" for text in sorted(texts))
    return snippet(f"{HEADER}{{\n{fields}\n}}")


def change(before: Any, after: Any) -> Any:
    """What in `after` differs from `before`."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return after
    differing = {key: change(before.get(key), value) for key, value in after.items() if before.get(key) != value}
    return differing | {key: None for key in before if key not in after}


def base_of(part: Part) -> str:
    return BASES.get(part.name, JOINT if part.name in ("scheduled_sampling", "minimum_risk", "strong_risk") else TAGGER)


def entry(part: Part, experiments: dict[str, dict[str, Any]]) -> str:
    base = base_of(part)
    before = experiments[TAGGER if part.name == "span" else base]
    shown = json.dumps(change(before, experiments[f"{base} + {part.call}"]), indent=2, ensure_ascii=False)
    pieces = [f"### `use.{part.name}{part.arguments or ''}`", part.comment, effect(part, shown)]
    return "\n\n".join(piece for piece in pieces if piece)


def effect(part: Part, shown: str) -> str:
    if shown == "{}":
        return f"`{part.call}` is already in the example, or only has an effect together with other parts."
    return f"`{part.call}` sets:\n\n```json\n{shown}\n```"


def page() -> str:
    files = found()
    evaluated = experiments([part for parts in files.values() for part in parts])
    sections = [
        "\n\n".join([f"## {FILES[file]}", *(entry(part, evaluated) for part in parts)]) for file, parts in files.items()
    ]
    return document(
        "Config parts",
        "Every part of `use`, its arguments with their defaults, and what it changes in an experiment: in a tagger "
        "with one input, a BiLSTM, a CRF and `nll`, or, for parts of span and joint models, in one of those. A "
        "list by topic is in [Parts of a config](../config_parts.md).",
        *sections,
    )
