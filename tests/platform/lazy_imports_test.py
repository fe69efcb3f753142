"""Lazy names behave like the real objects, and say what is missing when they are used."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import torch
from allennlp.training.optimizers import HuggingfaceAdafactor

from ner_zoo.platform.lazy_imports import LAZY_PACKAGES, LazyName, lazy_import, lazy_imports


def test_commands_load_none_of_the_lazy_packages() -> None:
    code = f"""
import sys, allennlp.commands
from allennlp.commands.subcommand import Subcommand
Subcommand.list_available()
# torch itself loads dill where it is installed.
print([name for name in {sorted({*LAZY_PACKAGES} - {"dill"})} if name in sys.modules])
"""
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.stdout == "[]\n", finished.stderr


def run_as_allennlp(code: str) -> Any:
    names: Any = {"__name__": "allennlp.made_up"}
    with lazy_imports():
        exec(code, names)
    return names


def test_the_forms_of_the_import_statement_give_what_they_name() -> None:
    names = run_as_allennlp(
        "import scipy.stats as statistics, scipy.special\nfrom scipy import linalg\nfrom scipy.special import expit"
    )
    assert all(isinstance(names[name], LazyName) for name in ("statistics", "scipy", "linalg", "expit"))
    assert names["statistics"].rankdata([3, 1]).tolist() == [2, 1]
    assert names["scipy"].special.expit(0.0) == names["expit"](0.0) == 0.5
    assert names["linalg"].norm([3.0, 4.0]) == 5.0


def test_only_modules_of_allennlp_import_lazily() -> None:
    names: Any = {"__name__": "somebody_else"}
    with lazy_imports():
        exec("import scipy", names)
    assert names["scipy"] is sys.modules["scipy"]


def test_a_lazy_class_is_one_in_checks_annotations_and_among_bases() -> None:
    Lazy: Any = lazy_import("fractions", ["Fraction"]).Fraction

    class Sub(Lazy):
        pass

    def function(one: Lazy | None, some: list[Lazy]) -> None: ...

    assert isinstance(Fraction(1), Lazy) and not isinstance(1.5, Lazy)
    assert issubclass(Sub, Fraction) and Sub(1, 2) == Fraction(1, 2)
    assert Lazy(1, 2).denominator == 2
    assert hasattr(Lazy, "limit_denominator") and not hasattr(Lazy, "from_params")
    assert get_type_hints(function)["some"] == list[Lazy]


def test_nothing_is_an_object_of_a_package_that_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "never_loaded.py").write_text("raise AssertionError('loaded')")
    monkeypatch.syspath_prepend(str(tmp_path))
    package = lazy_import("never_loaded", None)
    assert not isinstance(1, package.parts.Part)


def test_a_missing_package_can_be_imported_from_and_refuses_to_be_used() -> None:
    part: Any = lazy_import("no_such_package.deep.inside", ["Part"]).Part
    for use in (part, subclass(part)):
        with pytest.raises(ImportError, match=r"needs no_such_package.deep.inside.Part. .*pip install no_such_package"):
            use()


def subclass(base: Any) -> Any:
    class Sub(base):
        pass

    return Sub


def test_a_package_that_does_not_load_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_package.py").write_text("raise RuntimeError('operator does not exist')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ImportError, match="cannot be loaded: operator does not exist"):
        lazy_import("broken_package", ["thing"]).thing()


def test_a_dropped_name_says_what_to_do_instead() -> None:
    with pytest.raises(ImportError, match="hf upload"):
        lazy_import("huggingface_hub", ["Repository"]).Repository()


def test_adafactor_is_that_of_transformers() -> None:
    from transformers import Adafactor

    weight = torch.nn.Parameter(torch.ones(2, 3))
    optimizer = HuggingfaceAdafactor([("weight", weight)], lr=0.1, relative_step=False)
    weight.sum().backward()
    optimizer.step()
    assert isinstance(optimizer, Adafactor) and (weight < 1).all()


def test_the_version_of_a_lazy_library_can_be_compared() -> None:
    assert LazyName("torch").__version__ > "2.0" and LazyName("torch").__version__ == torch.__version__
