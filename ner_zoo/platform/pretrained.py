"""
Models that ship with the package, by name: `load("wnut17")`, `allennlp predict wnut17 texts.txt`.

Wherever a model is expected, a plain name refers to a model of the package, unless a file or folder of that name
exists.
"""

import argparse
import os
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "pretrained"
ENDING = ".tar.gz"


def pretrained_names() -> list[str]:
    return sorted(path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}"))


def no_such_archive(given: object) -> str:
    """The error message for a model that does not exist."""
    names = pretrained_names()
    included = f", or the name of a model that ships with ner_zoo: {', '.join(names)}" if names else ""
    return f"There is no archive {given}. Pass the model.tar.gz of a run{included}."


def take_names(parser: argparse.ArgumentParser) -> None:
    """Lets AllenNLP's own commands accept these names in place of an archive."""
    for action in parser._actions:
        if action.dest == "archive_file":
            action.type = model_path


def model_path(given: str) -> str:
    """The path of the archive that a user named."""
    if os.path.exists(given) or Path(given).name != given:
        return given
    archive = FOLDER / f"{given}{ENDING}"
    return str(archive) if archive.is_file() else given
