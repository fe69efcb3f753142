"""
Splits the training data of a config into folds.

The same data, seed and number of folds give the same folds. Near-duplicates are in the same fold: a model that has seen
a duplicate of a sentence, including its errors, has practically seen the sentence.
"""

import copy
import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader

from ner_zoo.annotation import Sentence
from ner_zoo.data.folds import write_folds
from ner_zoo.data.near_duplicates import groups_of_near_duplicates
from ner_zoo.data.readers import CorpusReader
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sources import sources


@dataclass(frozen=True)
class TrainingData:
    """
    path : path in the config.
    sentences : the training sentences, in order.
    sizes : the files of the sentences, each with its number of sentences.
    """

    path: str
    sentences: list[Sentence]
    sizes: list[tuple[str, int]]

    @classmethod
    def of(cls, config: dict[str, Any]) -> "TrainingData":
        path = config.get("train_data_path")
        if not path:
            raise ConfigurationError("The config has no train_data_path, so there is nothing to clean.")
        reader = DatasetReader.from_params(
            Params(copy.deepcopy({"reader": config.get("dataset_reader", {})}))["reader"]
        )
        if not isinstance(reader, CorpusReader):
            raise ConfigurationError(
                f"The dataset_reader is AllenNLP's {type(reader).__name__}, which does not record where sentences and "
                f"entities are in its files. Use one of ner_zoo, e.g. `conll` or `auto`."
            )
        if reader.annotation_dropout is not None:
            raise ConfigurationError(
                "The dataset_reader has annotation_dropout, which drops annotations on purpose. Remove it to clean "
                "the original data."
            )
        sentences = [instance["metadata"].metadata for instance in reader.read(path)]  # type: ignore[attr-defined]
        if not any(sentence.entities for sentence in sentences):
            raise ConfigurationError(
                f"{path} has {len(sentences):,} sentences but no entities, so there are no labels to clean. Check how "
                f"it is read with `allennlp inspect`."
            )
        sizes = [(s.file, sum(1 for _ in s.sentences(Repairs()))) for s in sources(reader.corpus, str(path))]
        return cls(str(path), sentences, sizes)

    def digest(self) -> str:
        """A fingerprint of everything that models learn from: other data has other folds."""
        found = hashlib.sha256()
        for one in self.sentences:
            found.update(repr((one.tokens, one.entities, one.relations, one.unknown)).encode("utf-8", "replace"))
        return found.hexdigest()[:12]


def make_folds(sentences: Sequence[Sentence], count: int, seed: int) -> list[int]:
    """The fold of each sentence, from 0; folds have nearly the same size."""
    if count < 2:
        raise ConfigurationError(
            f"--folds is {count}. Pass 2 or more: each fold is checked by a model trained on the others."
        )
    groups = groups_of_near_duplicates([one.tokens for one in sentences])
    sizes = Counter(groups)
    if len(sizes) < count:
        raise ConfigurationError(
            f"{len(sentences):,} sentences in {len(sizes):,} groups of near-duplicates are too few for {count} folds. "
            "Use fewer folds, or more training data."
        )
    order = sorted(sizes)
    random.Random(seed).shuffle(order)
    # Large groups first, so that small ones can balance the folds.
    order.sort(key=lambda group: -sizes[group])
    room = [0] * count
    fold_of: dict[int, int] = {}
    for group in order:
        fold_of[group] = min(range(count), key=room.__getitem__)
        room[fold_of[group]] += sizes[group]
    return [fold_of[group] for group in groups]


def write_folds_of(data: TrainingData, folder: Path, count: int, seed: int) -> tuple[Path, list[int]]:
    """Writes the folds under a name that identifies the data, and returns them."""
    folds = make_folds(data.sentences, count, seed)  # fails before a folder is created
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"folds_{count}_{seed}_{data.digest()}.json"
    # max_instances may end the reading within a file.
    left, sizes = len(folds), []
    for name, size in data.sizes:
        sizes.append((name, min(size, left)))
        left -= sizes[-1][1]
    write_folds(file, folds, sizes, count, seed)
    return file, folds
