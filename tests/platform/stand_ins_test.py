"""Missing packages can be imported from, say what they lack when used, and are never there for anybody else."""

import importlib
import math
import sys
from pathlib import Path

import pytest

from ner_zoo.platform.stand_ins import stand_in_for_module, stand_ins_for_names, stand_ins_for_packages


def test_a_missing_package_can_be_imported_from_and_refuses_to_be_used() -> None:
    with stand_ins_for_packages("no_such_package"):
        part = importlib.import_module("no_such_package.deep.inside").Part
    with pytest.raises(ImportError, match=r"no_such_package.deep.inside.Part is needed .* pip install no_such_package"):
        type("Sub", (part,), {})()
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("no_such_package")


def test_a_package_that_is_there_is_not_hidden() -> None:
    with stand_ins_for_packages("json"):
        assert importlib.import_module("json").loads("1") == 1
    assert "json" in sys.modules


def test_a_package_that_does_not_load_is_replaced_and_its_reason_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_package.py").write_text("raise RuntimeError('operator does not exist')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with stand_ins_for_packages("broken_package"):
        thing = importlib.import_module("broken_package").thing
    with pytest.raises(ImportError, match="does not load: operator does not exist"):
        thing()


def test_names_are_lent_only_where_they_are_missing() -> None:
    with stand_ins_for_names(math, {"pi": 3, "tau_and_a_half": 9}):
        assert (math.pi > 3, math.tau_and_a_half) == (True, 9)  # type: ignore[attr-defined]
    assert not hasattr(math, "tau_and_a_half")


def test_a_module_is_stood_in_for_only_while_it_is_not_loaded() -> None:
    with stand_in_for_module("no_such_module", {"answer": 42}):
        assert importlib.import_module("no_such_module").answer == 42
    assert "no_such_module" not in sys.modules
    with stand_in_for_module("math", {}):
        assert importlib.import_module("math") is math
