"""Every name is found, although nothing is loaded before it is needed."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model

from ner_zoo.platform.registry import COMMANDS, PARTS, taken_over

PACKAGE = Path(__file__).parents[2] / "ner_zoo"

PRINT_ALL = """
import json
from allennlp.common import Registrable
names_of = {f"{kind.__module__}.{kind.__qualname__}": names for kind, names in Registrable._registry.items()}
print(json.dumps({kind: sorted(names) for kind, names in names_of.items()}))
"""
LOAD_ALL = """
import ner_zoo
from allennlp.common.util import import_module_and_submodules
import_module_and_submodules("allennlp", {"allennlp.sanity_checks", "allennlp.tools"})
import_module_and_submodules("allennlp_models.tagging")
for part in ("data", "labels", "losses", "modules", "models", "metrics", "training", "predictors", "commands"):
    import_module_and_submodules("ner_zoo." + part)
"""
ASK = """
from allennlp.data import DatasetReader
from allennlp.models import Model
from allennlp.modules import Seq2SeqEncoder
from allennlp.training import Trainer
assert Seq2SeqEncoder.by_name("lstm")
assert Model.by_name("tagger").__module__ == "ner_zoo.models.tagger"
assert Model.by_name("crf_tagger").__module__.startswith("allennlp_models")
assert DatasetReader.by_name("wnut")
assert Trainer.resolve_class_name("gradient_descent")[0].__module__ == "ner_zoo.platform.resume"
from allennlp.commands.subcommand import Subcommand
assert Subcommand.by_name("predict").__module__ == "ner_zoo.commands.predict"
Model.list_available()
"""


def run(code: str, tmp_path: Path) -> dict[str, list[str]]:
    finished = subprocess.run([sys.executable, "-c", code + PRINT_ALL], capture_output=True, text=True, cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout.splitlines()[-1])


def test_every_name_is_known_that_would_be_known_with_everything_loaded(tmp_path: Path) -> None:
    everything, asked = run(LOAD_ALL, tmp_path), run(ASK, tmp_path)
    assert sum(map(len, everything.values())) > 300
    assert asked == everything


def registers(path: Path) -> bool:
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    functions = [call.func for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "register"]
    return any(isinstance(function.value, ast.Name) and function.value.id[0].isupper() for function in functions)


def test_every_package_that_registers_parts_is_listed() -> None:
    found = {f"ner_zoo.{path.relative_to(PACKAGE).parts[0]}" for path in PACKAGE.rglob("*.py") if registers(path)}
    # The trainer in `platform` is loaded with AllenNLP's, which it replaces: see the list of changes.
    assert found - {"ner_zoo.platform"} == {*PARTS, *COMMANDS}


def test_a_user_may_take_over_a_name_before_our_part_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(Registrable._registry, Model, {})
    monkeypatch.setattr("ner_zoo.platform.registry.taken_over", set(taken_over))

    @Model.register("tagger", exist_ok=True)
    class Mine(Model):
        pass

    ours = type("Tagger", (Model,), {"__module__": "ner_zoo.models.tagger"})
    assert Model.register("tagger")(ours) is ours
    assert Model.by_name("tagger") is Mine


def test_a_name_that_is_taken_by_mistake_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(Registrable._registry, Model, {})
    Model.register("tagger")(type("Mine", (Model,), {"__module__": "my.models"}))
    with pytest.raises(ConfigurationError, match="already in use for Mine"):
        Model.register("tagger")(type("Tagger", (Model,), {"__module__": "ner_zoo.models.tagger"}))
