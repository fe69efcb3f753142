"""
Models that come with the package, by name: `load("wnut17")`, `allennlp predict wnut17 texts.txt`.

Wherever a model is asked for, a name without a folder stands for a model of the package, unless there is a file or a
folder of that name.
"""

import argparse
import os
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "pretrained"
ENDING = ".tar.gz"


def pretrained_names() -> list[str]:
    return sorted(path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}"))


def no_such_archive(given: object) -> str:
    """What to tell a user who named a model that does not exist."""
    names = pretrained_names()
    included = f", or a model that comes with the package: {', '.join(names)}" if names else ""
    return f"There is no archive {given}. Give the model.tar.gz of a run{included}."


def take_names(parser: argparse.ArgumentParser) -> None:
    """Lets a command of AllenNLP's own take these names where it takes an archive."""
    for action in parser._actions:
        if action.dest == "archive_file":
            action.type = model_path


def model_path(given: str) -> str:
    """Where the archive is that a user named."""
    if os.path.exists(given) or Path(given).name != given:
        return given
    archive = FOLDER / f"{given}{ENDING}"
    return str(archive) if archive.is_file() else given
