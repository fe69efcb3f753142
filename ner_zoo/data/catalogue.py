"""
Catalogue of the corpora that ner_zoo can read: task, language, size, licence and origin.

`catalogue.json` lists the repository, commit and path of every public file, with its SHA-256. For the other corpora it
lists where to apply and which layout is expected in `$NER_ZOO_DATA`.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError


@dataclass(frozen=True)
class CorpusFile:
    """
    path : destination, relative to `$NER_ZOO_DATA`.
    sources : `owner/repository/commit/path`, tried in this order.
    """

    path: str
    sources: tuple[str, ...]
    sha256: str


@dataclass(frozen=True)
class CatalogueEntry:
    """
    reader : name of its reader.
    splits : its files or folders in `$NER_ZOO_DATA`; ` or ` separates the forms in which one is published.
    where : how to obtain a corpus that cannot be downloaded.
    layout : the files that the configs expect in `$NER_ZOO_DATA`, if the corpus cannot be downloaded.
    parts : repository, commit, folders and checksums of what can be downloaded.
    """

    name: str
    reader: str
    task: str
    language: str
    size: str
    licence: str
    splits: tuple[str, ...]
    where: str = ""
    layout: str = ""
    parts: tuple[dict[str, Any], ...] = ()

    @property
    def repositories(self) -> tuple[str, ...]:
        """Each repository as `owner/repository at commit`, in order, without duplicates."""
        return tuple(dict.fromkeys(f"{part['repository']} at {part['commit']}" for part in self.parts))

    def files(self) -> Iterator[CorpusFile]:
        for part in self.parts:
            prefix = f"{part['repository']}/{part['commit']}"
            for name, sha256 in part["files"].items():
                sources = tuple(f"{prefix}/{folder}/{name}".replace("//", "/") for folder in part["from"])
                yield CorpusFile(f"{part['to']}/{name}", sources, sha256)


@cache
def catalogue() -> dict[str, CatalogueEntry]:
    """All corpora by name."""
    entries = json.loads((Path(__file__).parent / "catalogue.json").read_text(encoding="utf-8"))
    return {entry["name"]: CatalogueEntry(**entry) for entry in entries}


def find(name: str) -> CatalogueEntry:
    """Looks up a corpus by name."""
    known = catalogue()
    if name not in known:
        close = get_close_matches(name, known, 1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise ConfigurationError(f"There is no corpus {name!r} in the catalogue.{hint} Known: {', '.join(known)}.")
    return known[name]
