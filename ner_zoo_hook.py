"""
Whoever imports `allennlp` in this environment gets `ner_zoo` with it.

AllenNLP 2.10.1 does not import on today's torch without the help of `ner_zoo.platform.compat`, and the help must be
there in every process: the `allennlp` command, `python -m allennlp`, a notebook, workers spawned for training or
loading. So `ner_zoo_hook.pth` imports this file when Python starts. It registers a finder that looks at nothing but
the name `allennlp`; a program that never imports AllenNLP pays for this one small file, which itself imports nothing.

The package `allennlp` itself holds next to nothing; what breaks is in its submodules. Therefore `ner_zoo` is imported
right after `allennlp/__init__.py` has run, and before anything else of AllenNLP is.
"""

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

INSTALL = "pip install --no-deps allennlp==2.10.1 allennlp-models==2.10.1"


class AllenNLPFinder:
    """Finds `allennlp` as the other finders do, and makes its loader import `ner_zoo` afterwards."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        if name != "allennlp":
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        specs = (finder.find_spec(name, path, target) for finder in others)  # type: ignore[arg-type]
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = LoaderThenNerZoo(spec.loader)  # type: ignore[assignment]
        return spec


class LoaderThenNerZoo:
    """Loads one module with the loader it would have had, gives that loader back to it, and imports `ner_zoo`."""

    def __init__(self, loader: object) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> "ModuleType | None":
        return self.loader.create_module(spec)  # type: ignore[attr-defined]

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = module.__spec__.loader = self.loader  # type: ignore[union-attr, assignment]
        self.loader.exec_module(module)  # type: ignore[attr-defined]
        import ner_zoo  # noqa: F401


if not any(type(finder).__name__ == AllenNLPFinder.__name__ for finder in sys.meta_path):
    sys.meta_path.insert(0, AllenNLPFinder())  # type: ignore[arg-type]


def check_installation() -> None:
    """Raises an ImportError with the one command that is missing, if AllenNLP is not installed."""
    missing = [name for name in ("allennlp", "allennlp_models") if find_spec(name) is None]
    if missing:
        raise ImportError(f"ner_zoo needs {' and '.join(missing)}, which pip cannot install for it. Run: {INSTALL}")


def main() -> None:
    """The `allennlp` command."""
    try:
        check_installation()
    except ImportError as error:
        sys.exit(str(error))
    from allennlp.__main__ import run

    run()
