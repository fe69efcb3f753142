"""
GloVe vectors from text: words, then pairs of words, then a least-squares fit. Pennington, Socher and Manning, 2014.

Each stage is kept in a folder beside the output until the end, and the fit after every epoch, so that a run that was
stopped resumes where it was and ends with the same vectors.
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

# Reads the text from its beginning: it is read twice.
Sentences = Callable[[], Iterable[Sequence[str]]]

# The first stage that is kept.
WORDS = "words.npz"


def train(
    text: Sentences, output: Path, settings: Settings, source: str = "", megabytes: int = 512
) -> dict[str, float]:
    """
    Writes the vectors of the words of `text` to `output`, with gzip if it ends in .gz. `source` says what the text is:
    a run resumes only with the same text and settings. Returns the mean loss of the first and the last epoch.
    """
    if megabytes < 1:
        raise ConfigurationError(f"megabytes is {megabytes}, but pairs need memory to be counted in. Give 1 or more.")
    if output.is_dir():
        raise ConfigurationError(f"{output} is a folder. Give the file that the vectors are to be written to.")
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
    """Where the stages of a run are kept: a folder beside the output that knows its settings."""
    folder = output.with_name(output.name + ".work")
    wanted = {**asdict(settings), "text": hashlib.sha256(source.encode()).hexdigest()}
    note = folder / "settings.json"
    # Before its words are known, as after a mistyped file name, a run has nothing to resume.
    if (folder / WORDS).exists() and note.exists() and json.loads(note.read_text()) != wanted:
        raise ConfigurationError(
            f"{folder} holds a run that was begun with other settings or another text: {note.read_text()}. Give the "
            "same ones to resume it, or remove the folder to start over."
        )
    folder.mkdir(parents=True, exist_ok=True)
    note.write_text(json.dumps(wanted))
    return folder


def _words(text: Sentences, folder: Path, settings: Settings) -> list[str]:
    """The words that get a vector, the most frequent first."""
    kept = folder / WORDS
    if not kept.exists():
        counts: Counter = Counter()
        for sentence in Tqdm.tqdm(text(), desc="counting words", unit=" sentences"):
            counts.update(sentence)
        # A file of vectors is cut at spaces: what has one in it, or is nothing else, cannot be in it.
        frequent = [(word, n) for word, n in counts.items() if n >= settings.min_count and word.split() == [word]]
        ranked = sorted(frequent, key=lambda item: (-item[1], item[0]))
        if not ranked:
            raise ConfigurationError(
                f"No word of the text occurs {settings.min_count} times or more. Give more text, or a lower min_count."
            )
        chosen = [word for word, _ in ranked][: settings.max_words or None]
        # As one text: an array of words gives each the room of the longest, and takes zeros off their ends.
        _save(kept, {"words": np.frombuffer("\n".join(chosen).encode(), dtype=np.uint8)})
    return _load(kept)["words"].tobytes().decode().split("\n")


def _pairs(text: Sentences, folder: Path, settings: Settings, words: list[str], megabytes: int) -> Pairs:
    """The co-occurrences of words. Words without a vector are left out before distances are counted."""
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
    """Trains from where the last run stopped; the mean loss of every epoch."""
    kept = folder / "fit.npz"
    losses: list[float] = []
    if kept.exists():
        state = _load(kept)
        model.vectors, model.biases, losses = state["vectors"], state["biases"], state["losses"].tolist()
    for epoch in range(len(losses), settings.epochs):
        losses.append(_epoch(model, epoch, settings.epochs))
        if not isfinite(losses[-1]):
            raise ConfigurationError(
                f"The vectors have grown without bound in epoch {epoch + 1}: the learning_rate of "
                f"{settings.learning_rate} is too high. Give a lower one, and remove {folder}."
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
    """A word per line and its numbers behind it, separated by single spaces, as AllenNLP's `pretrained_file` has it."""
    with replacing(output) as new, open(new, "wb") as file, _compressed(file, output) as packed:
        for word, vector in zip(words, vectors):
            packed.write(f"{word} {' '.join([f'{value:.6g}' for value in vector.tolist()])}\n".encode())


def _compressed(file: BinaryIO, output: Path) -> AbstractContextManager[BinaryIO]:
    # Without a time stamp, so that the same vectors make the same file.
    return gzip.GzipFile("", "wb", 6, file, 0) if output.suffix == ".gz" else nullcontext(file)  # type: ignore


def _save(path: Path, columns: Mapping[str, ndarray]) -> None:
    """All of it or nothing, should the run be stopped just then."""
    with replacing(path) as new, open(new, "wb") as file:
        np.savez(file, **columns)  # type: ignore[arg-type]


def _load(path: Path) -> dict[str, ndarray]:
    with np.load(path) as columns:
        return {name: columns[name] for name in columns.files}
