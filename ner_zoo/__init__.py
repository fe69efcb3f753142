"""Named entity recognition models and losses for AllenNLP. Registered parts are loaded on demand."""

__version__ = "0.2.0"

from ner_zoo.platform import import_hook

import_hook.install()


# Loaded on demand: most users who train or read corpora do not need them.
PUBLIC = {"load": "ner_zoo.api", "train": "ner_zoo.in_memory", "Example": "ner_zoo.example"}


def __getattr__(name: str) -> object:
    """`ner_zoo.load`, `ner_zoo.train`, `ner_zoo.Example`."""
    if name in PUBLIC:
        from importlib import import_module

        return getattr(import_module(PUBLIC[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
