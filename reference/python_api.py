"""The page on the Python interface, from signatures and docstrings."""

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

from allennlp.data import DatasetReader
from allennlp.models import Model

from reference.markdown import document, table
from reference.options import described, paragraph

SECTIONS = {
    "Using and training models": (
        "ner_zoo.api.load",
        "ner_zoo.in_memory.train",
        "ner_zoo.example.Example",
        "ner_zoo.annotator.Annotator",
        "ner_zoo.annotator.AnnotatedText",
        "ner_zoo.annotator.FoundEntity",
        "ner_zoo.annotator.FoundRelation",
    ),
    "Annotations": ("ner_zoo.annotation.Entity", "ner_zoo.annotation.Relation", "ner_zoo.annotation.Sentence"),
    "For your own losses and models": (
        "ner_zoo.structures.structure.Structure",
        "ner_zoo.losses.loss.Loss",
        "ner_zoo.modules.head.Head",
        "ner_zoo.labels.labels.Labels",
        "ner_zoo.models.ner_model.NerModel",
        "ner_zoo.data.corpora.corpus.Corpus",
    ),
}


def resolved(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def signature(thing: Any) -> str:
    """The signature as in the code, with short type names and without `self`."""
    text = str(inspect.signature(thing)).replace("NoneType", "None")
    for prefix in ("ner_zoo.", "torch.", "typing.", "collections.abc.", "allennlp."):
        text = shorter(text, prefix)
    return re.sub(r"(: |-> )'([^']+)'", r"\1\2", text).replace("(self, ", "(").replace("(self)", "()")


def shorter(text: str, prefix: str) -> str:
    """Shortens `a.b.C` to `C` for names with a prefix."""
    return re.sub(rf"\b{re.escape(prefix)}(?:\w+\.)*(\w+)", r"\1", text)


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class defines itself, in order."""
    for name, member in vars(cls).items():
        is_public = name == "__call__" or not name.startswith("_")
        if is_public and (inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod))):
            yield name, member


def member_row(name: str, member: Any) -> tuple[str, str]:
    function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
    shown = name if isinstance(member, property) else f"{name}{signature(function)}".replace("(cls, ", "(")
    return f"`{shown}`", " ".join(inspect.cleandoc(own_docstring(function) or "").split())


def own_docstring(function: Any) -> str | None:
    """The docstring, unless `overrides` copied it from AllenNLP."""
    parents = [getattr(parent, function.__name__, None) for parent in (Model, DatasetReader)]
    copied = function.__doc__ in {parent.__doc__ for parent in parents if parent is not None}
    return "As in AllenNLP." if copied else function.__doc__


def entry(path: str) -> str:
    thing, (module, _, name) = resolved(path), path.rpartition(".")
    pieces = [f"### `{name}`", f"`{module}.{name}{signature(thing)}`", paragraph(thing.__doc__)]
    arguments = {} if thing.__doc__ is None else described(thing.__doc__)
    if arguments:
        pieces.append(table(("argument", "description"), [(f"`{one}`", text) for one, text in arguments.items()]))
    if inspect.isclass(thing):
        rows = [member_row(*one) for one in members(thing)]
        if rows:
            pieces.append(table(("member", "description"), rows))
    return "\n\n".join(piece for piece in pieces if piece)


def page() -> str:
    sections = ["\n\n".join([f"## {title}", *map(entry, paths)]) for title, paths in SECTIONS.items()]
    return document(
        "Python",
        "`from ner_zoo import load, train, Example` covers most uses. The classes below are their return types, and "
        "the base classes for your own parts.",
        *sections,
    )
