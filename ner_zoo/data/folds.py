"""
Assignment of the sentences of a corpus to folds, in a file that corpus paths can refer to:

    train.conll [fold 2 in runs/clean/folds.json]             the sentences of the second fold
    train.conll [all but fold 2 in runs/clean/folds.json]     all others

A sentence that is not in the file belongs to no fold, and to neither part.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.atomic_files import write_atomically

FOLD = re.compile(r"^(?P<path>.*\S)\s*\[(?P<but>all but )?fold (?P<fold>\d+) in (?P<file>.+)\]$")


@dataclass(frozen=True)
class FoldPart:
    """The sentences of one fold (from 0), or of all the others. folds : the fold of each sentence of one source."""

    folds: Sequence[int]
    fold: int
    is_rest: bool

    def __contains__(self, number: int) -> bool:
        return number < len(self.folds) and (self.folds[number] == self.fold) != self.is_rest


def fold_parts(reference: "re.Match[str]", files: Sequence[str]) -> list[FoldPart]:
    """The part of each file of a corpus path that a match of `FOLD` refers to."""
    file, fold = reference["file"], int(reference["fold"]) - 1
    try:
        content = json.loads(Path(file).read_text(encoding="utf-8"))
        known, count = {one["file"]: one["folds"] for one in content["sources"]}, content["count"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(
            f"{file} does not say which fold each sentence of {reference['path']} belongs to. `allennlp clean` "
            "writes such files."
        ) from error
    if not 0 <= fold < count or set(known) != set(files):
        raise ConfigurationError(
            f"{file} has folds 1 to {count} of {', '.join(known)}, but fold {fold + 1} of "
            f"{', '.join(files)} was requested."
        )
    return [FoldPart(known[name], fold, reference["but"] is not None) for name in files]


def fold_path(path: str, file: str | Path, fold: int, is_rest: bool) -> str:
    """The path of one fold (from 0), or of all others."""
    return f"{path} [{'all but ' if is_rest else ''}fold {fold + 1} in {file}]"


def write_folds(file: Path, folds: Sequence[int], sizes: Sequence[tuple[str, int]], count: int, seed: int) -> None:
    """folds : the folds of all sentences, in order. sizes : the number of sentences in each file, in order."""
    rest = iter(folds)
    sources = [{"file": name, "folds": list(islice(rest, size))} for name, size in sizes]
    write_atomically(file, json.dumps({"count": count, "seed": seed, "sources": sources}) + "\n")
