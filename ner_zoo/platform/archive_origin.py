"""
Which archives are the user's own: those whose config this user's training has signed.

A config names encoders, vectors and other archives by their paths on the machine where it was trained. Opened by the
same user they may be read; opened by anybody else they are a stranger's wishes. So training puts beside `config.json`
the file `origin`, a keyed hash of it. The key is made once, kept in the user's settings, and never leaves the machine.
"""

import hmac
import logging
import os
import secrets
from pathlib import Path

logger = logging.getLogger(__name__)

CONFIG_NAME = "config.json"
ORIGIN_NAME = "origin"


def key_file() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "ner_zoo" / "archive.key"


def key() -> bytes | None:
    """The user's key, made if there is none; `None` where there is no place to keep one."""
    try:
        path = key_file()
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
            with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_bytes(32))
            try:
                os.link(unfinished, path)  # unless another process was faster
            except FileExistsError:
                pass
            finally:
                unfinished.unlink()
        return path.read_bytes()
    except (OSError, RuntimeError) as error:
        logger.info("There is no place for the key to the user's own archives: %s", error)
        return None


def signature(config: bytes) -> str | None:
    secret = key()
    return None if secret is None else hmac.digest(secret, config, "sha256").hex()


def sign(folder: Path) -> None:
    """Makes what is in a folder the user's own, as long as its config does not change."""
    signed = signature((folder / CONFIG_NAME).read_bytes())
    if signed is not None:
        (folder / ORIGIN_NAME).write_text(signed)


def is_own(folder: Path) -> bool:
    path = folder / ORIGIN_NAME
    return path.is_file() and is_signed((folder / CONFIG_NAME).read_bytes(), path.read_bytes())


def is_signed(config: bytes, origin: bytes) -> bool:
    """Whether `origin` is what this user's training has written for a config."""
    signed = signature(config)
    return signed is not None and hmac.compare_digest(origin, signed.encode())
