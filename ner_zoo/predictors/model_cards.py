"""
The model card of an archive.
"""

from pathlib import Path

from ner_zoo.platform.archive_opening import MODEL_CARD
from ner_zoo.platform.archive_unpacking import files

# Cards from untrusted archives are shown on a web page.
MOST_CARD_BYTES = 1_000_000


def card_of(archive: str) -> str:
    """The card in the archive or next to it."""
    path = Path(archive)
    if path.is_file():
        for member, content in files(path):
            if member.name == MODEL_CARD and content is not None:
                return content.read(MOST_CARD_BYTES).decode("utf-8", "replace")
    beside = (path if path.is_dir() else path.parent) / MODEL_CARD
    if beside.is_file():
        with open(beside, "rb") as file:
            return file.read(MOST_CARD_BYTES).decode("utf-8", "replace")
    return f"# {path.name}\n\nThis archive has no model card. `allennlp train` writes one.\n"
