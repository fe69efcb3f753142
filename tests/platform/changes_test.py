"""The lists of changes and default callbacks: every entry exists and has a reason."""

import importlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from allennlp.training import TrainerCallback, gradient_descent_trainer

from ner_zoo.platform.changes import CHANGES, CHANGES_FOR_ARCHIVES, Change
from ner_zoo.platform.default_callbacks import DEFAULT_CALLBACKS

PLATFORM = Path(__file__).parents[2] / "ner_zoo" / "platform"


@pytest.mark.parametrize(
    "change", CHANGES + CHANGES_FOR_ARCHIVES, ids=lambda change: f"{change.module}: {change.function}"
)
def test_a_change_names_a_module_and_a_function_and_has_a_reason(change: Change) -> None:
    importlib.import_module(change.module)
    place, _, name = change.function.rpartition(".")
    assert callable(getattr(importlib.import_module(f"ner_zoo.platform.{place}"), name))
    assert change.reason.endswith(".")


def test_no_change_is_made_twice() -> None:
    assert max(Counter((change.module, change.function) for change in CHANGES).values()) == 1


@pytest.mark.parametrize("first", ["archives", "loader_position", "resume"])
def test_changes_are_made_also_where_what_changes_a_module_imports_it(first: str) -> None:
    code = f"""
import ner_zoo.platform.{first}
import ner_zoo.platform.import_hook as import_hook
import allennlp.commands, allennlp.common.cached_transformers
from allennlp.models import load_archive
from allennlp.training import Checkpointer, Trainer
print(import_hook.waiting, hasattr(load_archive, "__wrapped__"), Checkpointer.save_checkpoint.__module__)
"""
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.stdout == "[] True ner_zoo.platform.checkpoints\n", finished.stderr


def test_the_default_callbacks_are_those_of_allennlp_and_of_the_list() -> None:
    ours = [TrainerCallback.by_name(name) for name in DEFAULT_CALLBACKS]
    assert list(gradient_descent_trainer.DEFAULT_CALLBACKS)[1:] == ours
    assert all(DEFAULT_CALLBACKS.values())


def test_no_other_file_makes_default_callbacks() -> None:
    files = [path for path in PLATFORM.parent.rglob("*.py") if "DEFAULT_CALLBACKS" in path.read_text()]
    assert files == [PLATFORM / "default_callbacks.py"], "name the callback in platform/default_callbacks.py instead"


def test_importing_writes_no_environment_variables() -> None:
    code = """
import os
before = dict(os.environ)
import ner_zoo, allennlp.commands
from allennlp.models import Model
Model.list_available()
# torch and its libraries may set theirs.
print([name for name in os.environ if name not in before and name.startswith(("NER_ZOO", "ALLENNLP"))])
"""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NER_ZOO")}
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert finished.stdout == "[]\n", finished.stderr


def test_no_function_is_wrapped_by_two_changes() -> None:
    """Each change was written for the original code: it must not wrap another change."""
    code = """
import inspect, sys
import ner_zoo.platform.import_hook as import_hook

made, twice = {}, []

def contents(module):
    places = [(module.__name__, vars(module))]
    for name, value in vars(module).items():
        if inspect.isclass(value) and value.__module__.startswith("allennlp"):
            places.append((f"{value.__module__}.{name}", vars(value)))
    return {f"{place}.{name}": value for place, names in places for name, value in names.items()}

def inner(value):
    value = getattr(value, "__func__", value)
    cells = [cell.cell_contents for cell in getattr(value, "__closure__", None) or ()]
    wrapped = [one for one in cells if inspect.isroutine(one)]
    return {id(one) for one in [*wrapped, *getattr(value, "__bases__", ())]}

def make(change):
    before = contents(sys.modules[change.module])
    original(change)
    for place, value in contents(sys.modules[change.module]).items():
        if before.get(place) is not value:
            twice.extend((place, change.function, made[one][1]) for one in inner(value) if one in made)
            made[id(getattr(value, "__func__", value))] = value, change.function

original, import_hook.make = import_hook.make, make
import ner_zoo.platform.registry as registry
import allennlp.commands, allennlp.common.cached_transformers
registry.load_everything()
print(len(made) > 30, twice)
"""
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.stdout == "True []\n", finished.stdout + finished.stderr
