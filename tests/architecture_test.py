"""Imports go downwards only: checked on the source, without importing anything."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = "ner_zoo"

# From top to bottom, each package once. Packages in one layer do not import each other.
LAYERS: list[set[str]] = [
    {"commands", "spacy_component", "in_memory"},
    {"workbench"},
    {"service", "bulk", "experiments", "api", "exporting"},
    {"analysis", "light"},
    {"annotator"},
    {"spacy_doc"},
    {"predictors"},
    {"training"},
    {"models"},
    {"losses", "modules", "metrics", "pretraining"},
    {"labels"},
    {"data"},
    {"structures", "annotation", "example", "rendering"},
    {"platform"},
]
RANKS = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def part_of(module: str) -> str:
    """The package, or top-level module, that a module (named without `ner_zoo.`) belongs to."""
    part = module.partition(".")[0]
    assert part in RANKS, f"{PACKAGE}.{part} is in no layer: add it to LAYERS"
    return part


def modules() -> Iterator[tuple[str, Path]]:
    """Every module except the package itself, which imports them all, by name without `ner_zoo.`"""
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT / PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name:
            yield name, path


NAMES = {name for name, _ in modules()}


def imports(path: Path) -> Iterator[str]:
    """Our modules that a file imports anywhere, by name without `ner_zoo.`"""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imported = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports by a relative name"
            full_names = [f"{node.module}.{alias.name}" for alias in node.names]
            imported = [name if name.removeprefix(f"{PACKAGE}.") in NAMES else node.module or "" for name in full_names]
        else:
            continue
        yield from (name.removeprefix(f"{PACKAGE}.") for name in imported if name.startswith(f"{PACKAGE}."))


@pytest.mark.parametrize(("name", "path"), modules(), ids=lambda value: value if isinstance(value, str) else "")
def test_a_module_imports_from_its_own_part_or_from_a_lower_layer(name: str, path: Path) -> None:
    part = part_of(name)
    for imported in imports(path):
        other = part_of(imported)
        assert part == other or RANKS[part] < RANKS[other], f"{name} imports {imported}"


def test_each_package_is_in_one_layer() -> None:
    assert sum(len(names) for names in LAYERS) == len(RANKS)


@pytest.mark.parametrize("package", ["structures", "rendering", "platform"])
def test_the_lowest_layer_imports_nothing_of_ours(package: str) -> None:
    for name, path in modules():
        if part_of(name) == package:
            assert {part_of(imported) for imported in imports(path)} <= {package, "platform"}, name


def test_models_do_not_import_each_other() -> None:
    registered = {
        name for name, path in modules() if part_of(name) == "models" and "@Model.register" in path.read_text()
    }
    for name, path in modules():
        if name in registered:
            assert not registered & set(imports(path)), name


def test_data_and_losses_do_not_import_models() -> None:
    for name, path in modules():
        if part_of(name) in {"data", "losses"}:
            assert "models" not in {part_of(imported) for imported in imports(path)}, name
