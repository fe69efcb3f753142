"""
Loads registered parts on demand, when they are looked up by name.

`import ner_zoo` loads none of them. When a registry does not have a requested name, or is asked for all names, it first
loads ner_zoo's parts, and then the rest of AllenNLP and its default plugins, all of which `allennlp` used to load at
every start. Our own base classes can declare with `registered_in` which packages contain all of their parts.
"""

import importlib
import importlib.util
import pkgutil
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

# The packages of ner_zoo that register parts.
PARTS = (
    "ner_zoo.data",
    "ner_zoo.labels",
    "ner_zoo.losses",
    "ner_zoo.modules",
    "ner_zoo.models",
    "ner_zoo.metrics",
    "ner_zoo.training",
    "ner_zoo.predictors",
)
COMMANDS = ("ner_zoo.commands",)
# Run as commands themselves, or deprecated; the last one needs a package that is rarely installed.
NOT_LOADED = {"allennlp.sanity_checks", "allennlp.tools", "allennlp.confidence_checks.task_checklists"}
OUR_PACKAGES = ("allennlp", "allennlp_models", "ner_zoo")

lock = threading.RLock()
loaded: set[str] = set()
# Names for which a user registered a class with `exist_ok` before ours was loaded.
taken_over: set[tuple[type, str]] = set()


def submodules(package: str) -> Iterator[str]:
    """The package and all public modules in it."""
    if package in NOT_LOADED:
        return
    yield package
    for _, name, is_package in pkgutil.iter_modules(getattr(importlib.import_module(package), "__path__", ())):
        if not name.startswith(("_", "test")):
            yield from submodules(f"{package}.{name}") if is_package else (f"{package}.{name}",)


def load_once(package: str) -> None:
    """Imports a package with all of its modules."""
    with lock:
        if package in loaded:
            return
        loaded.add(package)
        try:
            for name in submodules(package):
                importlib.import_module(name)
        except BaseException:
            loaded.discard(package)
            raise


def rest_of_allennlp() -> list[str]:
    """
    Imports only the NER parts of allennlp-models if a package that its other parts need is missing (ftfy, conllu,
    word2number).
    """
    if not importlib.util.find_spec("allennlp_models"):
        return ["allennlp"]
    is_whole = all(importlib.util.find_spec(name) for name in ("ftfy", "conllu", "word2number"))
    return ["allennlp", "allennlp_models" if is_whole else "allennlp_models.tagging"]


def load_parts(kind: type, is_enough: Callable[[], bool] = lambda: False) -> None:
    """Loads packages that may register parts of a kind until the name is found."""
    packages = COMMANDS if is_command(kind) else getattr(kind, "registered_in", PARTS)
    for package in packages:
        load_once(package)
    if packages is PARTS and not is_enough():
        for package in rest_of_allennlp():
            load_once(package)


def load_everything() -> None:
    """Loads everything, so that every registry is complete."""
    for package in (*PARTS, *rest_of_allennlp(), *COMMANDS):
        load_once(package)


def is_command(kind: type) -> bool:
    return kind.__module__ == "allennlp.commands.subcommand"


def is_ours(cls: Any) -> bool:
    return str(cls.__module__).partition(".")[0] in OUR_PACKAGES


def load_parts_by_name(registrable: ModuleType) -> None:
    """Looks up a part; an archive gets only the parts it may name."""
    from ner_zoo.platform.archive_allowlist import check_kind, check_name

    registry = registrable.Registrable._registry
    resolve = registrable.Registrable.resolve_class_name.__func__
    names = registrable.Registrable.list_available.__func__
    add = registrable.Registrable.register.__func__

    def resolve_class_name(cls: Any, name: str) -> tuple[Any, str | None]:
        # Our `predict` replaces AllenNLP's.
        if (name not in registry[cls] and "." not in name) or is_command(cls):
            load_parts(cls, is_enough=lambda: name in registry[cls])
        check_name(cls, name, registry[cls][name][0] if name in registry[cls] else None)
        resolved, constructor = resolve(cls, name)
        if name not in registry[cls]:
            check_kind(cls, name, resolved)
        return resolved, constructor

    def list_available(cls: Any) -> list[str]:
        load_parts(cls)
        return names(cls)

    def register(cls: Any, name: str, constructor: str | None = None, exist_ok: bool = False) -> Callable[[Any], Any]:
        def add_subclass(subclass: Any) -> Any:
            if is_ours(subclass) and (cls, name) in taken_over:
                return subclass
            if exist_ok and not is_ours(subclass):
                taken_over.add((cls, name))
            elif exist_ok:
                registry[cls].pop(name, None)  # avoids a log message
            return add(cls, name, constructor, exist_ok)(subclass)

        return add_subclass

    registrable.Registrable.resolve_class_name = classmethod(resolve_class_name)
    registrable.Registrable.list_available = classmethod(list_available)
    registrable.Registrable.register = classmethod(register)


def make_ner_zoo_a_plugin(plugins: ModuleType) -> None:
    """Lets AllenNLP load the user's own plugins, which may add commands."""
    from ner_zoo.platform.archive_allowlist import allow_package

    def import_module_and_submodules(package_name: str, exclude: set[str] | None = None) -> None:
        if package_name.partition(".")[0] not in OUR_PACKAGES:
            allow_package(package_name, is_explicit=False)
            load_once(package_name)

    plugins.DEFAULT_PLUGINS = (*plugins.DEFAULT_PLUGINS, "ner_zoo")  # type: ignore[attr-defined]
    plugins.import_module_and_submodules = import_module_and_submodules  # type: ignore[attr-defined]
