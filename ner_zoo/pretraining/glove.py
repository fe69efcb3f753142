"""
Trains GloVe vectors on text: counts words, counts pairs of words, fits by least squares. Pennington, Socher and
Manning, 2014.

The result of each stage, and of the fit after every epoch, is stored in a folder next to the output until the end, so
that an interrupted run resumes and produces the same vectors.
"""

import gzip
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import BinaryIO

import numpy as np
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError
from numpy import ndarray

from ner_zoo.platform.atomic_files import replacing
from ner_zoo.pretraining.cooccurrence import PairCounter, Pairs
from ner_zoo.pretraining.least_squares import LeastSquares
from ner_zoo.pretraining.settings import Settings

# Reads the text from its beginning; called twice.
Sentences = Callable[[], Iterable[Sequence[str]]]

# The first stage that is stored.
WORDS = "words.npz"


def train(
    text: Sentences, output: Path, settings: Settings, source: str = "", megabytes: int = 512
) -> dict[str, float]:
    """
    Writes the vectors of the words of `text` to `output`, gzipped if it ends in .gz. `source` identifies the text: a
    run resumes only with the same text and settings. Returns the mean loss of the first and the last epoch.
    """
    if megabytes < 1:
        raise ConfigurationError(f"megabytes is {megabytes}, but counting pairs needs memory. Set it to 1 or more.")
    if output.is_dir():
        raise ConfigurationError(f"{output} is a folder. Pass a file for the vectors.")
    folder = work_folder(output, settings, source)
    words = _words(text, folder, settings)
    pairs = _pairs(text, folder, settings, words, megabytes)
    model = LeastSquares(
        len(words), settings.dim, pairs, settings.x_max, settings.alpha, settings.learning_rate, settings.seed
    )
    losses = _fit(model, folder, settings)
    write_vectors(output, words, model.result())
    shutil.rmtree(folder)
    return {"words": len(words), "pairs": len(pairs.counts), "first_loss": losses[0], "last_loss": losses[-1]}


def work_folder(output: Path, settings: Settings, source: str) -> Path:
    """The folder for the stages of a run, next to the output; it records the settings."""
    folder = output.with_name(output.name + ".work")
    wanted = {**asdict(settings), "text": hashlib.sha256(source.encode()).hexdigest()}
    note = folder / "settings.json"
    # Before the words are counted, for example after a mistyped file name, there is nothing to resume.
    if (folder / WORDS).exists() and note.exists() and json.loads(note.read_text()) != wanted:
        raise ConfigurationError(
            f"{folder} contains a run with other settings or another text: {note.read_text()}. Use the same ones to "
            f"resume it, or remove the folder to start over."
        )
    folder.mkdir(parents=True, exist_ok=True)
    note.write_text(json.dumps(wanted))
    return folder


def _words(text: Sentences, folder: Path, settings: Settings) -> list[str]:
    """The words that get a vector, most frequent first."""
    kept = folder / WORDS
    if not kept.exists():
        counts: Counter = Counter()
        for sentence in Tqdm.tqdm(text(), desc="counting words", unit=" sentences"):
            counts.update(sentence)
        # Files of vectors are split at spaces, so words that contain one are left out.
        frequent = [(word, n) for word, n in counts.items() if n >= settings.min_count and word.split() == [word]]
        ranked = sorted(frequent, key=lambda item: (-item[1], item[0]))
        if not ranked:
            raise ConfigurationError(
                f"No word of the text occurs {settings.min_count} times or more. Use more text, or a lower min_count."
            )
        chosen = [word for word, _ in ranked][: settings.max_words or None]
        # Stored as one text: an array of words would pad each to the longest, and strip trailing zeros.
        _save(kept, {"words": np.frombuffer("\n".join(chosen).encode(), dtype=np.uint8)})
    return _load(kept)["words"].tobytes().decode().split("\n")


def _pairs(text: Sentences, folder: Path, settings: Settings, words: list[str], megabytes: int) -> Pairs:
    """The co-occurrences of words. Words without a vector are removed before distances are counted."""
    kept = folder / "pairs.npz"
    if not kept.exists():
        number = {word: i for i, word in enumerate(words)}
        counter = PairCounter(settings.window, megabytes, folder)
        sentences = ([number[word] for word in sentence if word in number] for sentence in text())
        with Tqdm.tqdm(desc="counting pairs", unit=" words", unit_scale=True) as bar:
            for read in counter.add(sentences):
                bar.update(read)
        _save(kept, counter.pairs()._asdict())
    return Pairs(**_load(kept))


def _fit(model: LeastSquares, folder: Path, settings: Settings) -> list[float]:
    """Resumes training where the last run stopped; returns the mean loss of every epoch."""
    kept = folder / "fit.npz"
    losses: list[float] = []
    if kept.exists():
        state = _load(kept)
        model.vectors, model.biases, losses = state["vectors"], state["biases"], state["losses"].tolist()
    for epoch in range(len(losses), settings.epochs):
        losses.append(_epoch(model, epoch, settings.epochs))
        if not isfinite(losses[-1]):
            raise ConfigurationError(
                f"The vectors diverged in epoch {epoch + 1} because the learning_rate of {settings.learning_rate} is "
                f"too high. Set a lower one, and remove {folder}."
            )
        _save(kept, {"vectors": model.vectors, "biases": model.biases, "losses": np.array(losses)})
    return losses


def _epoch(model: LeastSquares, epoch: int, epochs: int) -> float:
    updates, loss = 0, 0.0
    with Tqdm.tqdm(total=model.updates, desc=f"epoch {epoch + 1}/{epochs}", unit=" pairs", unit_scale=True) as bar:
        for some, part in model.epoch(epoch):
            updates, loss = updates + some, loss + part
            bar.update(some)
            bar.set_postfix(loss=f"{loss / max(updates, 1):.5f}")
    return loss / max(updates, 1)


def write_vectors(output: Path, words: Sequence[str], vectors: ndarray) -> None:
    """
    Writes one word per line followed by its numbers, separated by single spaces, for AllenNLP's
    `pretrained_file`.
    """
    with replacing(output) as new, open(new, "wb") as file, _compressed(file, output) as packed:
        for word, vector in zip(words, vectors):
            packed.write(f"{word} {' '.join([f'{value:.6g}' for value in vector.tolist()])}\n".encode())


def _compressed(file: BinaryIO, output: Path) -> AbstractContextManager[BinaryIO]:
    # Without a time stamp, so that the same vectors give the same file.
    return gzip.GzipFile("", "wb", 6, file, 0) if output.suffix == ".gz" else nullcontext(file)  # type: ignore


def _save(path: Path, columns: Mapping[str, ndarray]) -> None:
    """Writes atomically, in case the run is interrupted."""
    with replacing(path) as new, open(new, "wb") as file:
        np.savez(file, **columns)  # type: ignore[arg-type]


def _load(path: Path) -> dict[str, ndarray]:
    with np.load(path) as columns:
        return {name: columns[name] for name in columns.files}
