"""
The corpora that all tools are trained on, and the common scoring.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sources import sources
from results.comparison import data

# For one sentence: (first token, end token (exclusive), type).
Found = set[tuple[int, int, str]]
VECTORS = ("glove.6B.50d.pruned.txt.gz", "glove.wink.100d.pruned.txt.gz")


@dataclass(frozen=True)
class Files:
    """
    config : our config in training_config/.
    reader : registered name of the format.
    train, dev, test : files in $NER_ZOO_DATA.
    """

    config: str
    reader: str
    train: str
    dev: str
    test: str

    def path(self, split: str) -> Path:
        return Path(data()) / {"train": self.train, "dev": self.dev, "test": self.test}[split]

    def sentences(self, split: str) -> list[Sentence]:
        corpus = Corpus.by_name(self.reader)()
        return [one for source in sources(corpus, str(self.path(split))) for one in source.sentences(Repairs())]


CORPORA = {
    "wnut17": Files(
        config="roseq/wnut17_clusters",
        reader="wnut",
        train="wnut17/wnut17train.conll",
        dev="wnut17/emerging.dev.conll",
        test="wnut17/emerging.test.annotated",
    ),
    "conll04": Files(
        config="roseq/conll04_entities",
        reader="conll04",
        train="conll04/train.txt",
        dev="conll04/dev.txt",
        test="conll04/test.txt",
    ),
}


def vectors() -> list[Path]:
    return [Path(data()) / "vectors" / name for name in VECTORS]


def gold(sentence: Sentence) -> Found:
    return {(entity.start, entity.end, entity.type) for entity in sentence.entities}


def f1(sentences: Sequence[Sentence], predicted: Sequence[Found]) -> float:
    """F1 of whole entities in percent: boundaries and type must be right."""
    right = sum(len(gold(sentence) & found) for sentence, found in zip(sentences, predicted, strict=True))
    total = sum(len(sentence.entities) for sentence in sentences) + sum(map(len, predicted))
    return 200 * right / total if total else 0.0
