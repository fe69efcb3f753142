"""
Recognises the user's own archives: those whose config was signed by this user's training.

A config names encoders, vectors and other archives by their paths on the training machine. In the user's own archives
these paths may be read; in anybody else's they are untrusted input. Therefore training writes the file `origin` next to
`config.json`: a keyed hash of the config. The key is created once, stored in the user's settings folder, and never
leaves the machine.
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
    """The user's key, created if needed; `None` if there is nowhere to store it."""
    try:
        path = key_file()
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
            with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_bytes(32))
            try:
                os.link(unfinished, path)  # fails if another process was faster
            except FileExistsError:
                pass
            finally:
                unfinished.unlink()
        return path.read_bytes()
    except (OSError, RuntimeError) as error:
        logger.info("Cannot store the signing key for the user's own archives: %s", error)
        return None


def signature(config: bytes) -> str | None:
    secret = key()
    return None if secret is None else hmac.digest(secret, config, "sha256").hex()


def sign(folder: Path) -> None:
    """Signs the config in a folder. The signature is valid as long as the config does not change."""
    signed = signature((folder / CONFIG_NAME).read_bytes())
    if signed is not None:
        (folder / ORIGIN_NAME).write_text(signed)


def is_signed(config: bytes, origin: bytes) -> bool:
    """Whether `origin` is this user's signature of a config."""
    signed = signature(config)
    return signed is not None and hmac.compare_digest(origin, signed.encode())
