"""
AllenNLP 2.10.1 on today's Python, torch and transformers: one small function per thing that broke.
"""

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import sys
from types import ModuleType
from typing import Any, Iterator, List, Optional


class _StandIn(ModuleType):
    """A module that can be imported from, and says what to install as soon as something in it is used."""

    __path__: List[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        package = self.__name__.partition(".")[0]

        def refuse(*_: Any, **__: Any) -> None:
            raise ImportError(f"{self.__name__}.{name} is needed here, but {package} is missing: pip install {package}")

        return type(name, (), {"__init__": refuse, "__module__": self.__name__})


class _StandInFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, packages: List[str]) -> None:
        self.packages = packages

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        if name.partition(".")[0] in self.packages:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def _loads(package: str) -> bool:
    try:
        importlib.import_module(package)
        return True
    except (ImportError, OSError, RuntimeError):
        return False


@contextlib.contextmanager
def _stand_ins_for(*packages: str) -> Iterator[None]:
    missing = [package for package in packages if not _loads(package)]
    finder = _StandInFinder(missing)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.partition(".")[0] in missing]:
            del sys.modules[name]


def import_without_vision_and_sharding() -> None:
    with _stand_ins_for("torchvision", "fairscale"):
        for name in ("data", "nn.parallel", "nn.checkpoint", "modules.vision"):
            importlib.import_module(f"allennlp.{name}")


def register_ner_zoo_as_plugin() -> None:
    from allennlp.common import plugins

    if "ner_zoo" not in plugins.DEFAULT_PLUGINS:
        plugins.DEFAULT_PLUGINS += ("ner_zoo",)


def apply() -> None:
    import_without_vision_and_sharding()
    register_ner_zoo_as_plugin()
