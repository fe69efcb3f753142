"""
What has been done, on disk: one file per chunk, each of which is there whole or not at all.

A part is written under another name, flushed to the disk, and then given its own: whenever the process is killed, what
is there is right, and a restart does the rest. A manifest says what the parts are of, so that no run continues
another's.
"""

import fcntl
import json
import os
import shutil
from pathlib import Path
from typing import IO, Any, Dict, Iterable, Iterator, Optional, Set

from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.atomic_files import UNFINISHED, flush, replacing

MANIFEST = "manifest.json"


class Parts:
    """
    output : the file that is to be made; parts are kept in a folder beside it.
    identity : what the output is made of: if any of it is different, so is the output.
    """

    def __init__(self, output: str, identity: Dict[str, Any]) -> None:
        self.output = Path(output)
        self.folder = Path(f"{output}.parts")
        self.record = Path(f"{output}.run.json")
        self.identity = identity
        self._lock: Optional[IO[str]] = None

    def is_complete(self) -> bool:
        """Whether the output is there, and is of this run; refuses one that is not."""
        if not self.output.exists():
            return False
        if not self.record.exists() or json.loads(self.record.read_text())["made_of"] != self.identity:
            raise ConfigurationError(
                f"{self.output} is there already, and made of something else: another input, model or option. Remove "
                "it, give another --output, or give --overwrite."
            )
        return True

    def begin(self) -> Set[int]:
        """The numbers of the chunks that are done. From now on no other process may work here."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = (self.folder / ".lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigurationError(f"Another process is at work on {self.output}. Wait for it, or stop it.") from None
        manifest = self.folder / MANIFEST
        if not manifest.exists():
            _write(manifest, [json.dumps(self.identity, indent=1).encode()])
        elif json.loads(manifest.read_text()) != self.identity:
            raise ConfigurationError(
                f"{self.folder} holds parts of another run: of another input, model or option. Remove the folder, or "
                "give --overwrite."
            )
        for leftover in self.folder.glob(f"*{UNFINISHED}"):
            leftover.unlink()
        return {int(path.stem) for path in self.folder.glob("*.jsonl")}

    def path(self, number: int) -> Path:
        return self.folder / f"{number:09d}.jsonl"

    def write(self, number: int, lines: Iterable[bytes]) -> None:
        _write(self.path(number), lines)

    def lines(self, count: int) -> Iterator[bytes]:
        """All rows of the first `count` parts, in order."""
        for number in range(count):
            with self.path(number).open("rb") as file:
                yield from iter(file.readline, b"")

    def finish(self, written: Path, summary: Dict[str, Any]) -> None:
        """Give the output its name and take the parts away. The record comes first: an output has always one."""
        _write(self.record, [json.dumps({"made_of": self.identity, **summary}, indent=1).encode() + b"\n"])
        os.replace(written, self.output)
        flush(self.output.parent)
        self.remove()

    def remove(self) -> None:
        """Take the parts away, if there are any."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def discard(self) -> None:
        """Take everything away that an earlier run has made."""
        self.remove()
        for path in (self.output, self.record):
            path.unlink(missing_ok=True)


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    with replacing(path, is_durable=True) as new, new.open("wb") as file:
        file.writelines(pieces)
