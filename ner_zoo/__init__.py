"""Named entity recognition models and losses for AllenNLP. Its parts are loaded when they are asked for by name."""

__version__ = "0.2.0"

from ner_zoo_hook import check_installation

check_installation()

from ner_zoo.platform import import_hook  # noqa: E402

import_hook.install()


def __getattr__(name: str) -> object:
    """`ner_zoo.load`, imported when it is asked for: few who train or read corpora need it."""
    if name == "load":
        from ner_zoo.api import load

        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
