"""
The training data of a config, cut into folds.

The same data, seed and number of folds give the same folds. Near-duplicates share a fold: a model that has seen the
twin of a sentence, error included, has as good as seen the sentence.
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
    path : as the config has it.
    sentences : what a model is trained on, in order.
    sizes : the files they are from, each with the number of its sentences.
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
                f"The dataset_reader is AllenNLP's {type(reader).__name__}, which does not say where sentences and "
                "entities are in its files. Use one of ner_zoo, e.g. `conll` or `auto`."
            )
        if reader.annotation_dropout is not None:
            raise ConfigurationError(
                "The dataset_reader has annotation_dropout, which forgets annotations on purpose. Take it out to "
                "clean the data as it is."
            )
        sentences = [instance["metadata"].metadata for instance in reader.read(path)]  # type: ignore[attr-defined]
        if not any(sentence.entities for sentence in sentences):
            raise ConfigurationError(
                f"{path} has {len(sentences):,} sentences and no entity, so there are no labels to clean. Is it read "
                "as it should be? Try `allennlp inspect`."
            )
        sizes = [(s.file, sum(1 for _ in s.sentences(Repairs()))) for s in sources(reader.corpus, str(path))]
        return cls(str(path), sentences, sizes)

    def digest(self) -> str:
        """Of everything that models learn from: other data have other folds."""
        found = hashlib.sha256()
        for one in self.sentences:
            found.update(repr((one.tokens, one.entities, one.relations, one.unknown)).encode("utf-8", "replace"))
        return found.hexdigest()[:12]


def make_folds(sentences: Sequence[Sentence], count: int, seed: int) -> list[int]:
    """The fold of each sentence, counted from 0; folds are of nearly the same size."""
    if count < 2:
        raise ConfigurationError(f"--folds is {count}. Give 2 or more: each fold is scored by a model of the others.")
    groups = groups_of_near_duplicates([one.tokens for one in sentences])
    sizes = Counter(groups)
    if len(sizes) < count:
        raise ConfigurationError(
            f"{len(sentences):,} sentences in {len(sizes):,} groups of near-duplicates are too few for {count} folds. "
            "Give fewer folds, or more training data."
        )
    order = sorted(sizes)
    random.Random(seed).shuffle(order)
    # The large groups first, so that the small ones can make up for them.
    order.sort(key=lambda group: -sizes[group])
    room = [0] * count
    fold_of: dict[int, int] = {}
    for group in order:
        fold_of[group] = min(range(count), key=room.__getitem__)
        room[fold_of[group]] += sizes[group]
    return [fold_of[group] for group in groups]


def write_folds_of(data: TrainingData, folder: Path, count: int, seed: int) -> tuple[Path, list[int]]:
    """Writes the folds, under a name that stands for the data, and returns them."""
    folds = make_folds(data.sentences, count, seed)
    file = folder / f"folds_{count}_{seed}_{data.digest()}.json"
    # max_instances ends the reading somewhere in the files.
    left, sizes = len(folds), []
    for name, size in data.sizes:
        sizes.append((name, min(size, left)))
        left -= sizes[-1][1]
    write_folds(file, folds, sizes, count, seed)
    return file, folds
