"""
Vectors of sentences on disk: computed once, memory-mapped, and shared by all runs.

    FOLDER/ENCODER/0001-….safetensors       keys (sentences, 16)   lengths (sentences,)   vectors, in half precision

A sentence is identified by a hash of the encoder's input, an encoder by a hash of its weights, so changes of either are
detected automatically. A file is written under a lock and moved into place when complete; a truncated or damaged file,
or one of another encoder, is deleted with a warning, and its sentences are computed again. The operating system caches
frequently used parts; the process itself only stores keys and positions.
"""

import hashlib
import logging
import shutil
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from filelock import FileLock, Timeout
from torch import Tensor

from ner_zoo.platform.atomic_files import UNFINISHED, replacing

logger = logging.getLogger(__name__)

# The folder of stores, next to a run or in a comparison's folder, unless the environment sets another one.
FOLDER, VARIABLE = "encoder_vectors", "NER_ZOO_VECTORS"
KEY_BYTES = 16
ENDING = ".safetensors"
# Disk space to keep free.
SPARE_BYTES = 1 << 28


def sentence_key(pieces: np.ndarray, offsets: np.ndarray) -> bytes:
    """A hash of the ids of a sentence's word pieces, and of the first and last piece of each word."""
    content = np.concatenate([[len(pieces)], pieces, offsets.ravel()]).astype(np.int64)
    return hashlib.blake2b(content.tobytes(), digest_size=KEY_BYTES).digest()


class VectorStore:
    """
    folder : folder of all encoders.
    encoder : hash of the encoder.
    layers, dim : shape of a word's vectors.
    """

    def __init__(self, folder: Path, encoder: str, layers: int, dim: int) -> None:
        self.folder = folder / encoder[:16]
        self.encoder = encoder
        self.layers = layers
        self.dim = dim
        self._places: dict[bytes, tuple[Tensor, int, int]] = {}
        self._files: set[Path] = set()

    def __contains__(self, key: bytes) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, key: bytes) -> Tensor:
        """`(layers, words, dim)`, half precision, a view of the file."""
        vectors, start, words = self._places[key]
        return vectors[start : start + words * self.layers * self.dim].view(self.layers, words, self.dim)

    @property
    def size(self) -> int:
        """The size on disk in bytes."""
        return sum(file.stat().st_size for file in self._files)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Context in which all files are known and no other process adds any."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / "lock")
            try:
                lock.acquire(timeout=1)
            except Timeout:
                logger.warning("Another run is computing vectors of the same encoder. Waiting for it.")
                lock.acquire()
        except OSError as error:
            raise ConfigurationError(
                f"The vectors of a frozen encoder cannot be stored in {self.folder}: {error}. Set another folder in "
                f"{VARIABLE}."
            ) from error
        try:
            for left in self.folder.glob(f"*{UNFINISHED}"):
                left.unlink()
            for file in sorted(set(self.folder.glob(f"*{ENDING}")) - self._files):
                self._read(file)
            yield
        finally:
            lock.release()

    def add(self, keys: Sequence[bytes], vectors: Sequence[Tensor]) -> None:
        """Stores the vectors `(layers, words, dim)` of sentences in one file. Only while `locked`."""
        from safetensors.torch import save_file

        flat = torch.cat([one.half().flatten() for one in vectors])
        if not flat.isfinite().all():
            raise ConfigurationError(
                "The encoder produces values that are not finite or exceed 65,504, the maximum of half precision. Use "
                "it with use.encoder(NAME, frozen=true), which stores nothing."
            )
        self._check_space(flat.nbytes)
        tensors = {
            "keys": torch.frombuffer(bytearray(b"".join(keys)), dtype=torch.uint8).view(-1, KEY_BYTES),
            "lengths": torch.tensor([one.shape[1] for one in vectors]),
            "vectors": flat,
        }
        name = hashlib.blake2b(b"".join(keys), digest_size=8).hexdigest()
        path = self.folder / f"{len(self._files) + 1:04}-{name}{ENDING}"
        with replacing(path) as unfinished:
            save_file(tensors, unfinished, {"encoder": self.encoder, "checksum": checksum(tensors.values())})
        self._read(path)

    def _check_space(self, size: int) -> None:
        free = shutil.disk_usage(self.folder).free
        if size + SPARE_BYTES > free:
            raise ConfigurationError(
                f"There is not enough disk space for the vectors of a frozen encoder: {free / 1e9:.1f} GB are free in "
                f"{self.folder}. Set {VARIABLE} to a folder on another disk, delete vectors that are no longer "
                f"needed, or store fewer layers: use.frozen_encoder(NAME, layers='last')."
            )

    def _read(self, path: Path) -> None:
        try:
            keys, lengths, vectors = self._checked(path)
        except Exception as error:  # safetensors may raise anything
            logger.warning(f"{path} is ignored, and its vectors are computed again: {error}")
            path.unlink()
            return
        start = 0
        for key, words in zip(keys, lengths):
            self._places[key] = vectors, start, words
            start += words * self.layers * self.dim
        self._files.add(path)

    def _checked(self, path: Path) -> tuple[list[bytes], list[int], Tensor]:
        from safetensors import safe_open

        with safe_open(path, framework="pt") as file:
            about = file.metadata() or {}
            keys, lengths, vectors = parts = [file.get_tensor(name) for name in ("keys", "lengths", "vectors")]
        if about.get("encoder") != self.encoder:
            raise ValueError("it belongs to another encoder")
        if vectors.numel() != int(lengths.sum()) * self.layers * self.dim or checksum(parts) != about.get("checksum"):
            raise ValueError("it is damaged")
        return [row.tobytes() for row in keys.numpy()], lengths.tolist(), vectors


def checksum(tensors: Iterable[Tensor]) -> str:
    found = 0
    for tensor in tensors:
        found = zlib.crc32(tensor.flatten().numpy().view(np.uint8), found)
    return f"{found:08x}"
