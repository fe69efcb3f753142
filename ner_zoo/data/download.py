"""
Downloads the files of a corpus. Each file is checked against its SHA-256 and moved into place only when complete.

Existing files are kept, so a second call resumes where the first one stopped. A broken connection is resumed at the
byte it reached. A failed download leaves no partial file behind.
"""

import hashlib
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from allennlp.common.checks import ConfigurationError

from ner_zoo.data.catalogue import CorpusFile

DEFAULT_HOST = "https://raw.githubusercontent.com"
# A mirror with the same layout, for machines that cannot reach the default server.
HOST_VARIABLE = "NER_ZOO_CORPUS_HOST"
ATTEMPTS = 4
SECONDS_BETWEEN_ATTEMPTS = 1.0
TIMEOUT_SECONDS = 30
CHUNK = 1 << 16


class NotOnServer(Exception):
    """Raised if the server does not have a file."""


def fetch(files: Iterable[CorpusFile], folder: Path, overwrite: bool = False) -> Iterator[str]:
    """
    Downloads all files to `folder`; yields "fetched" or "already there" for each.

    overwrite : replace a file that differs from the published one, instead of raising an error.
    """
    for file in files:
        target = folder / file.path
        if target.exists() and sha256_of(target) == file.sha256:
            yield "already there"
            continue
        if target.exists() and not overwrite:
            raise ConfigurationError(
                f"{target} exists but differs from the published file. It was not changed. Move it away, or replace "
                f"it with --force."
            )
        fetch_file(file, target)
        yield "fetched"


def fetch_file(file: CorpusFile, target: Path) -> None:
    """Downloads one file to a temporary name, checks it, and moves it into place."""
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.download")
    try:
        for source in file.sources:
            with suppress(NotOnServer):
                download(address_of(source), unfinished)
                break
        else:
            addresses = " or ".join(address_of(source) for source in file.sources)
            raise ConfigurationError(f"The server does not have {file.path}: tried {addresses}.")
        found = sha256_of(unfinished)
        if found != file.sha256:
            raise ConfigurationError(
                f"{file.path} from {address_of(source)} has the wrong checksum: sha256 {found}, expected "
                f"{file.sha256}. The file was discarded. The download may be damaged, or the server may have sent "
                f"something else. Try again."
            )
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
        with suppress(OSError):  # not empty
            target.parent.rmdir()


def address_of(source: str) -> str:
    host = os.environ.get(HOST_VARIABLE, DEFAULT_HOST).rstrip("/")
    return f"{host}/{quote(source)}"


def download(address: str, target: Path) -> None:
    """Downloads a URL to a new file; resumes broken connections a few times."""
    import requests
    from urllib3.exceptions import HTTPError

    target.unlink(missing_ok=True)
    problem = ""
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(SECONDS_BETWEEN_ATTEMPTS)
        try:
            if _download_rest(address, target):
                return
            problem = "the connection was closed before the end of the file"
        except (requests.RequestException, HTTPError) as error:
            problem = type(error).__name__
    raise ConfigurationError(
        f"{address} could not be downloaded ({problem}, {ATTEMPTS} attempts). Check the network connection. Complete "
        f"files are kept: run the command again to resume."
    )


def _download_rest(address: str, target: Path) -> bool:
    """Appends the missing bytes; returns whether the file is complete according to the server."""
    import requests

    have = target.stat().st_size if target.exists() else 0
    headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={have}-"} if have else {})}
    with requests.get(address, headers=headers, stream=True, timeout=TIMEOUT_SECONDS) as response:
        if response.status_code == 404:
            raise NotOnServer
        if response.status_code == 416:  # nothing left to send
            return True
        response.raise_for_status()
        continues = response.status_code == 206
        length = response.headers.get("Content-Length")
        received = 0
        with target.open("ab" if continues else "wb") as file:
            # Read in pieces of any size: `iter_content` would lose the bytes of a chunk if the connection breaks.
            while chunk := response.raw.read1(CHUNK):
                file.write(chunk)
                received += len(chunk)
    return length is None or received >= int(length)


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
