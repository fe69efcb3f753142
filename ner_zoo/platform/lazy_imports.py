"""
Delays loading of libraries that AllenNLP imports at the top but that few of its parts use.

While a module of AllenNLP is executed, its imports of the `LAZY_PACKAGES` return `LazyName`s. Other libraries import as
usual, even at the same time: what matters is which module contains the import statement.

A `LazyName` can be called, indexed, subclassed, used in annotations and in `isinstance`. If the library cannot be
loaded, using the name raises an error that says what to do.
"""

import builtins
import contextlib
import importlib
import sys
import threading
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any, Union

# Why each of them can wait. Together they take more than three times as long to load as torch.
LAZY_PACKAGES = {
    "cached_path": "paths that may be URLs; it loads the clients of S3, Google and Hugging Face",
    "dill": "hashing objects",
    "fairscale": "sharding over several GPUs; it has no wheel",
    "h5py": "HDF5 weights",
    "huggingface_hub": "publishing models",
    "lmdb": "tensor caches",
    "nltk": "trees and edit distances; it loads scipy.stats, scikit-learn and pandas",
    "scipy": "correlations, fairness",
    "sklearn": "ROC curves, fairness",
    "spacy": "its tokenizer",
    "tensorboardX": "TensorBoard",
    "torchvision": "images; its wheel does not load with a CPU build of torch",
    "transformers": "pretrained encoders",
}

# Names that were removed or moved, with their replacement: a module and its attribute.
REPLACED = {
    "transformers.AdamW": ("ner_zoo.platform.adamw", "AdamW"),  # dropped in 4.50
    "transformers.Adafactor": ("ner_zoo.platform.adafactor", "Adafactor"),  # AllenNLP subclasses both
    # AllenNLP takes this table from BERT's module, which takes seconds to load.
    "transformers.models.bert.modeling_bert.ACT2FN": ("transformers.activations", "ACT2FN"),
}
PUBLISHING = "huggingface_hub removed it in 1.0. Publish the archive with the command `hf upload`."
REMEDIES = {"huggingface_hub.HfFolder": PUBLISHING, "huggingface_hub.Repository": PUBLISHING}

NOT_LOADED = object()


class LazyName:
    """
    module : the module to import.
    path : the path of attributes in that module; empty for the module itself.
    """

    def __init__(self, module: str, path: tuple[str, ...] = ()) -> None:
        self._lazy_module = module
        self._lazy_path = path
        self._lazy_value: Any = NOT_LOADED

    def _lazy_load(self) -> Any:
        if self._lazy_value is NOT_LOADED:
            self._lazy_value = load(self._lazy_module, self._lazy_path)
        return self._lazy_value

    def __getattr__(self, name: str) -> Any:
        is_special = name.startswith("__") and name not in ("__file__", "__name__", "__qualname__", "__version__")
        if self._lazy_value is NOT_LOADED and is_special:
            raise AttributeError(name)  # `typing` looks these up in every annotation
        path = (self._lazy_module.rpartition(".")[2], *self._lazy_path)
        if self._lazy_value is NOT_LOADED and not name.startswith("__") and path[-1].islower():
            # Attributes of a module are lazy: `isinstance(x, spacy.tokens.Token)` does not have to load spaCy.
            return LazyName(self._lazy_module, (*self._lazy_path, name))
        return getattr(self._lazy_load(), name)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self._lazy_load()(*arguments, **options)

    def __getitem__(self, key: Any) -> Any:
        return self._lazy_load()[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._lazy_load())

    def __contains__(self, key: Any) -> bool:
        return key in self._lazy_load()

    def __or__(self, other: Any) -> Any:
        return Union[self, other]  # noqa: UP007  `|` is what is defined here

    def __ror__(self, other: Any) -> Any:
        return Union[other, self]  # noqa: UP007

    def __instancecheck__(self, instance: Any) -> bool:
        # A library that was never loaded has no instances.
        return self._lazy_module.partition(".")[0] in sys.modules and isinstance(instance, self._lazy_load())

    def __subclasscheck__(self, subclass: type) -> bool:
        return self._lazy_module.partition(".")[0] in sys.modules and issubclass(subclass, self._lazy_load())

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        try:
            return (self._lazy_load(),)
        except ImportError as error:
            return (refusing(str(error)),)

    def __repr__(self) -> str:
        return f"<lazy {'.'.join((self._lazy_module, *self._lazy_path))}>"


def load(module: str, path: Sequence[str]) -> Any:
    """Loads the object behind a lazy name, or raises an error that says what to do."""
    full_name = ".".join((module, *path))
    if full_name in REPLACED:
        module, attribute = REPLACED[full_name]
        path = (attribute,)
    try:
        value = importlib.import_module(module)
        for name in path:
            if not hasattr(value, name):
                importlib.import_module(f"{value.__name__}.{name}")
            value = getattr(value, name)
        return value
    except (ImportError, OSError, RuntimeError) as error:
        # A torchvision built for another version of torch fails with a RuntimeError about its operators.
        package = module.partition(".")[0]
        is_missing = isinstance(error, ModuleNotFoundError) and error.name == package
        remedy = f"Install it: pip install {package}" if is_missing else f"It cannot be loaded: {error}"
        raise ImportError(f"This needs {full_name}. {REMEDIES.get(full_name, remedy)}") from error


def refusing(problem: str) -> type:
    """A class that can be subclassed and used in annotations, but not instantiated."""

    def refuse(*_: Any, **__: Any) -> None:
        raise ImportError(problem)

    return type("Missing", (), {"__init__": refuse})


def lazy_import(name: str, names: Sequence[str] | None) -> Any:
    """The object that the statement `import name` or `from name import names` takes its names from."""
    if names:
        return SimpleNamespace(**{each: LazyName(name, (each,)) for each in names})
    package, *rest = name.split(".")
    top = parent = LazyName(package)
    for depth, part in enumerate(rest, start=2):
        # `import scipy.stats as stats` requests the submodule from the package.
        child = LazyName(".".join(name.split(".")[:depth]))
        setattr(parent, part, child)
        parent = child
    return top


class ImportDepth(threading.local):
    """How many modules of AllenNLP are being executed in this thread, one importing the next."""

    depth = 0


running = ImportDepth()
python_import = builtins.__import__


def import_for_allennlp(
    name: str, globals: dict[str, Any] | None = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    """Replaces `__import__` while a module of AllenNLP is executed."""
    if running.depth and level == 0 and globals is not None and name.partition(".")[0] in LAZY_PACKAGES:
        importer = globals.get("__name__") or ""
        if importer.partition(".")[0] in ("allennlp", "allennlp_models"):
            return lazy_import(name, fromlist)
    return python_import(name, globals, locals, fromlist, level)


@contextlib.contextmanager
def lazy_imports() -> Iterator[None]:
    """Context in which modules of AllenNLP import lazily."""
    before, builtins.__import__ = builtins.__import__, import_for_allennlp  # type: ignore[assignment]
    running.depth += 1
    try:
        yield
    finally:
        running.depth -= 1
        builtins.__import__ = before
