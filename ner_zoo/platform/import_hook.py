"""
Applies the changes to AllenNLP's modules right after they are loaded, before anyone else sees them.

Everyone who imports from a module, including AllenNLP, gets the changed version. Modules that are never loaded are
never changed.
"""

import importlib
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ner_zoo.platform.changes import CHANGES, Change
from ner_zoo.platform.lazy_imports import lazy_imports
from ner_zoo_hook import INSTALL

OURS = "ner_zoo.platform."

changes_of: dict[str, list[Change]] = {}
for _change in CHANGES:
    changes_of.setdefault(_change.module, []).append(_change)
waiting: list[Change] = []


def make(change: Change) -> None:
    place, _, name = change.function.rpartition(".")
    module = importlib.import_module(OURS + place)
    if hasattr(module, name):
        getattr(module, name)(sys.modules[change.module])
    else:
        # The module of changes is itself being loaded, and has just imported a module that it changes.
        waiting.append(change)


def make_changes(module: ModuleType) -> None:
    """The changes to a module in list order; for one of our modules, the changes that were waiting for it."""
    for change in changes_of.get(module.__name__, ()):
        make(change)
    for change in [one for one in waiting if OURS + one.function.rpartition(".")[0] == module.__name__]:
        waiting.remove(change)
        make(change)


class ChangingFinder:
    """Finds AllenNLP's modules like the other finders, and wraps their loaders."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        is_allennlp = name.partition(".")[0] in ("allennlp", "allennlp_models")
        if not is_allennlp and not name.startswith(OURS) and name not in changes_of:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        specs = (finder.find_spec(name, path, target) for finder in others)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is None and name in ("allennlp", "allennlp_models"):
            # Do not fail on `import ner_zoo`: exported models run without AllenNLP.
            raise ModuleNotFoundError(
                f"ner_zoo needs {name}, which pip cannot install for it. Run: {INSTALL}", name=name
            )
        if spec is not None and spec.loader is not None:
            spec.loader = ChangingLoader(spec.loader)  # type: ignore[assignment]
        return spec


class ChangingLoader:
    """Loads a module with its original loader, which is then restored, and applies the changes."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)  # `python -m allennlp` asks for the code

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = module.__spec__.loader = self.loader  # type: ignore[union-attr]
        with lazy_imports():
            self.loader.exec_module(module)
        make_changes(module)


def install() -> None:
    """Installs the hook: changes AllenNLP's modules when they are loaded, and those already loaded now."""
    if any(isinstance(finder, ChangingFinder) for finder in sys.meta_path):
        return
    sys.meta_path.insert(0, ChangingFinder())  # type: ignore[arg-type]
    for name in [name for name in changes_of if name in sys.modules]:
        make_changes(sys.modules[name])
