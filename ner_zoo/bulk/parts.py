"""
Finished chunks on disk: one file per chunk, written atomically.

A part is written under a temporary name, flushed to disk, and then renamed: whenever the process is killed, existing
parts are valid, and a restart does the rest. The first line of a part contains the number of rows and their checksum;
damaged parts are never joined. A manifest identifies the run, so that no run continues another's. All of this happens
under the `output_lock` of the output.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ner_zoo.platform.atomic_files import UNFINISHED, flush, replacing
from ner_zoo.platform.configuration_error import ConfigurationError

MANIFEST = "manifest.json"


class Parts:
    """
    output : the output file; parts are stored in a folder next to it.
    identity : everything that determines the output: if any of it changes, so does the output.
    """

    def __init__(self, output: str, identity: dict[str, Any]) -> None:
        self.output = Path(output)
        self.folder = Path(f"{output}.parts")
        self.record = Path(f"{output}.run.json")
        self.identity = identity

    def is_complete(self) -> bool:
        """Whether the output exists and belongs to this run; refuses one that does not."""
        if not self.output.exists():
            return False
        record = read_json(self.record)
        different = differences(record.get("made_of"), self.identity)
        if record.get("bytes") != self.output.stat().st_size:
            different = [*different, "the size of the output"]
        if different:
            raise ConfigurationError(
                f"{self.output} already exists, but differs from what this command would write: "
                f"{', '.join(different)}. Remove it, pass another --output, or pass --overwrite."
            )
        return True

    def begin(self) -> set[int]:
        """The numbers of the finished chunks, all of which have been checked."""
        self.folder.mkdir(parents=True, exist_ok=True)
        manifest = self.folder / MANIFEST
        found = list(self.folder.glob("*.jsonl"))
        if not manifest.exists() and not found:
            _write(manifest, [json.dumps(self.identity, indent=1).encode()])
        different = differences(read_json(manifest), self.identity)
        if different:
            raise ConfigurationError(
                f"{self.folder} contains parts of another run, which differs in: {', '.join(different)}. To resume "
                f"that run, use the same input, model and options; to start over, pass --overwrite."
            )
        for leftover in self.folder.glob(f"*{UNFINISHED}"):
            leftover.unlink()
        done = {self._number(path) for path in found}
        for number in done:
            self.read(number)
        return done

    def path(self, number: int) -> Path:
        return self.folder / f"{number:09d}.jsonl"

    def write(self, number: int, lines: Sequence[bytes]) -> None:
        head = json.dumps({"rows": len(lines), "sha256": checksum(lines)}).encode()
        _write(self.path(number), [head + b"\n", *lines])

    def read(self, number: int) -> list[bytes]:
        """The rows of a part; refuses a damaged one."""
        try:
            with self.path(number).open("rb") as file:
                head, *lines = file
            known = json.loads(head)
            is_right = known == {"rows": len(lines), "sha256": checksum(lines)}
        except FileNotFoundError:
            raise ConfigurationError(
                f"{self.path(number)} is missing. Run the same command again to annotate those rows again."
            ) from None
        except ValueError:
            is_right = False
        if not is_right:
            raise ConfigurationError(
                f"{self.path(number)} is damaged: its rows are not the ones that were written. Remove that file and "
                f"run the same command again to annotate those rows again."
            )
        return lines

    def check(self, count: int, rows: int) -> None:
        """Refuses to continue unless the parts are the first `count`, undamaged, and have `rows` rows in total."""
        beyond = [path for path in self.folder.glob("*.jsonl") if self._number(path) >= count]
        if beyond:
            raise ConfigurationError(
                f"{beyond[0]} contains rows that the input does not have. Pass --overwrite to start over."
            )
        found = sum(len(self.read(number)) for number in range(count))
        if found != rows:
            raise ConfigurationError(
                f"The parts in {self.folder} have {found} rows, but the input has {rows}. Pass --overwrite to start "
                "anew."
            )

    def lines(self, count: int) -> Iterator[bytes]:
        """All rows of the first `count` parts, in order."""
        for number in range(count):
            yield from self.read(number)

    def finish(self, written: Path, summary: dict[str, Any]) -> None:
        """Renames the output and removes the parts. The record is written first, so that every output has one."""
        record = {"made_of": self.identity, "bytes": written.stat().st_size, **summary}
        _write(self.record, [json.dumps(record, indent=1).encode() + b"\n"])
        os.replace(written, self.output)
        flush(self.output.parent)
        self.remove()

    def remove(self) -> None:
        """Removes the parts, if any."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def remove_if_empty(self) -> None:
        """Removes the folder of a run that failed before its first part."""
        if not any(self.folder.glob("*.jsonl")):
            self.remove()

    def discard(self) -> None:
        """Removes everything that an earlier run has written."""
        self.remove()
        for path in (self.output, self.record):
            path.unlink(missing_ok=True)

    def _number(self, path: Path) -> int:
        if not path.stem.isdecimal() or self.path(int(path.stem)) != path:
            raise ConfigurationError(f"{path} is not a part. Remove it, or pass --overwrite to start over.")
        return int(path.stem)


def checksum(lines: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line)
    return digest.hexdigest()


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file; an empty one if there is no file."""
    try:
        content = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def differences(found: Any, expected: dict[str, Any]) -> list[str]:
    """The keys in which the two differ, in words."""
    found = found if isinstance(found, dict) else {}
    return [key.replace("_", " ") for key in {**expected, **found} if found.get(key) != expected.get(key)]


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    with replacing(path, is_durable=True) as new, new.open("wb") as file:
        file.writelines(pieces)
