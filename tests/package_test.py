import tomllib
from importlib.util import find_spec
from pathlib import Path

import ner_zoo

ROOT = Path(__file__).parent.parent


def test_the_version_is_that_of_the_newest_heading_of_the_changelog() -> None:
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert headings[0] == f"## {ner_zoo.__version__}"


def test_the_version_is_written_once_and_types_are_announced() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" in pyproject["project"]["dynamic"] and "version" not in pyproject["project"]
    assert (
        f'__version__ = "{ner_zoo.__version__}"' in (ROOT / pyproject["tool"]["hatch"]["version"]["path"]).read_text()
    )
    assert (Path(find_spec("ner_zoo").origin).parent / "py.typed").is_file()  # type: ignore[union-attr, arg-type]


def test_the_check_of_a_commit_is_the_same_everywhere() -> None:
    for file in (".ci/run", ".github/workflows/check.yml"):
        assert "make check" in (ROOT / file).read_text()
