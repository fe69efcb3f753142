"""
Recognises binary files by their first bytes, and says what to do with them.
"""

import zlib

from allennlp.common.checks import ConfigurationError

SIGNATURES = (
    (b"PAR1", "a Parquet file", 'Use the reader "hf_dataset".'),
    (b"ARROW1", "an Arrow file", 'Use the reader "hf_dataset".'),
    (b"\xff\xff\xff\xff", "an Arrow stream", 'Use the reader "hf_dataset".'),
    (b"PK\x03\x04", "a ZIP archive or an Office document", "Unpack it, or export plain text."),
    (b"%PDF", "a PDF document", "Extract its text first."),
    (b"SQLite format 3\x00", "an SQLite database", "Export the annotations to a file."),
    (b"\x89PNG", "a picture", ""),
    (b"\xff\xd8\xff", "a picture", ""),
    (b"BZh", "compressed with bzip2", "Decompress it, or compress it with gzip."),
    (b"\xfd7zXZ\x00", "compressed with xz", "Decompress it, or compress it with gzip."),
    (b"\x28\xb5\x2f\xfd", "compressed with zstandard", "Decompress it, or compress it with gzip."),
    (b"\x80\x04\x95", "a Python pickle", "Save the data in another format."),
)


def kind_of_binary(head: bytes) -> str | None:
    """Describes a file with these first bytes, with advice, if it is known to be binary."""
    for signature, kind, advice in SIGNATURES:
        if head.startswith(signature):
            return f"is {kind}. {advice}".rstrip()
    if head[257:262] == b"ustar":
        return "is a tar archive, such as that of a trained model. Unpack it, or give a file of a corpus."
    if is_docbin(head):
        return 'is zlib data, probably a spaCy DocBin. Use the reader "docbin".'
    return None


def is_docbin(head: bytes) -> bool:
    """Whether the bytes look like a DocBin: a MessagePack map compressed with zlib."""
    if head[:1] != b"\x78":
        return False
    try:
        start = zlib.decompressobj().decompress(head[:4096], 64)
    except zlib.error:
        return False
    return b"version" in start or start[:1] >= b"\x80"


def refuse_binary(head: bytes, file: str) -> None:
    """Raises an error for a file that is known to be binary."""
    kind = kind_of_binary(head)
    if kind is not None:
        raise ConfigurationError(f"{file}:1 {kind}")
