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


@dataclass(frozen=True)
class FoldReference:
    """A reference to a fold in a path; `path` is the part before it."""

    path: str
    file: str
    fold: int
    is_rest: bool

    @classmethod
    def of(cls, path: str) -> "FoldReference | None":
        found = FOLD.match(path)
        if found is None:
            return None
        return cls(found["path"], found["file"], int(found["fold"]) - 1, found["but"] is not None)

    def parts(self, files: Sequence[str]) -> list[FoldPart]:
        """One part per file of the corpus path."""
        try:
            content = json.loads(Path(self.file).read_text(encoding="utf-8"))
            known, count = {one["file"]: one["folds"] for one in content["sources"]}, content["count"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigurationError(
                f"{self.file} does not say which fold each sentence of {self.path} belongs to. `allennlp clean` "
                "writes such files."
            ) from error
        if not 0 <= self.fold < count or set(known) != set(files):
            raise ConfigurationError(
                f"{self.file} has folds 1 to {count} of {', '.join(known)}, but fold {self.fold + 1} of "
                f"{', '.join(files)} was requested."
            )
        return [FoldPart(known[file], self.fold, self.is_rest) for file in files]


def fold_path(path: str, file: str | Path, fold: int, is_rest: bool) -> str:
    """The path of one fold (from 0), or of all others."""
    return f"{path} [{'all but ' if is_rest else ''}fold {fold + 1} in {file}]"


def write_folds(file: Path, folds: Sequence[int], sizes: Sequence[tuple[str, int]], count: int, seed: int) -> None:
    """folds : the folds of all sentences, in order. sizes : the number of sentences in each file, in order."""
    rest = iter(folds)
    sources = [{"file": name, "folds": list(islice(rest, size))} for name, size in sizes]
    write_atomically(file, json.dumps({"count": count, "seed": seed, "sources": sources}) + "\n")
