"""
A comparison to measure, as listed in `comparisons.jsonnet`, and its command.
"""

import json
import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import _jsonnet

ROOT = Path(__file__).parents[1]
LIST = ROOT / "results" / "comparisons.jsonnet"
DATA = "NER_ZOO_DATA"


@dataclass(frozen=True)
class Comparison:
    """The fields are explained at the top of comparisons.jsonnet."""

    name: str
    title: str
    page: str
    configs: list[str]
    metrics: list[str]
    seeds: int
    overrides: dict[str, Any]
    quick: dict[str, Any]
    published: dict[str, dict[str, str]]
    same_protocol: dict[str, str]
    are_rivals: bool = True
    test: str | None = None
    paired: bool = False
    vary: list[str] = field(default_factory=list)
    encoder: str | None = None

    @property
    def paths(self) -> list[Path]:
        return [Path("training_config") / f"{config}.jsonnet" for config in self.configs]

    def command(self, folder: Path, is_full: bool, seeds: str = "") -> list[str]:
        """
        `allennlp compare` with all its arguments.

        seeds : seeds to measure instead of all, separated by commas.
        """
        overrides = self.overrides if is_full else self.quick
        return [
            "allennlp",
            "compare",
            *map(str, self.paths),
            *(f"--metric={metric}" for metric in self.metrics),
            "--seeds",
            seeds or str(self.seeds if is_full else 1),
            *(["--paired"] if self.paired else []),
            *(f"--vary={values}" for values in self.vary),
            *(["-o", json.dumps(overrides)] if overrides else []),
            *(["--test", self.test] if self.test and is_full else []),
            "-s",
            str(folder),
        ]

    def told(self, folder: Path) -> str:
        """The command of the full measurement, for display."""
        return to_paste(shlex.join(self.command(folder, is_full=True)))

    @property
    def missing_encoder(self) -> str | None:
        """The folder of the encoder that it needs, if that is missing."""
        return None if self.encoder is None or Path(self.encoder).is_dir() else self.encoder


def comparisons() -> list[Comparison]:
    """All comparisons, in page order."""
    listed = json.loads(_jsonnet.evaluate_file(str(LIST), ext_vars={DATA: data()}))
    return [Comparison(**one) for one in listed]


def data() -> str:
    """The folder of the corpora."""
    return os.environ.get(DATA, "data")


def without_place(text: str) -> str:
    """Replaces the local folder by the variable."""
    return re.sub(rf"(?<![\w./-]){re.escape(data())}/", f"${DATA}/", text)


def to_paste(command: str) -> str:
    """A command that names the variable, with it outside of quotes, so that a shell expands it."""
    parts = re.sub(rf"'(\${DATA}/[\w./-]*)'", r"\1", without_place(command)).split("'")
    return "'".join(part.replace(f"${DATA}", f"'${DATA}'") if n % 2 else part for n, part in enumerate(parts))
