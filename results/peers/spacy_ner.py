"""
spaCy's NER on its convolutional tok2vec, from `spacy init config`, with vectors of the first file as features.
"""

import subprocess
import sys
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from ner_zoo.annotation import Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.docbin import DocBinWriter
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from results.peers.corpus import Files, Found, vectors

EPOCHS = 15


def train(files: Files, folder: Path, seed: int) -> Path:
    for split in ("train", "dev"):
        scored = map(ScoredSentence, files.sentences(split))
        DocBinWriter().write(scored, str(folder / f"{split}.spacy"), Repairs())
    spacy("init", "vectors", "en", vectors()[0], folder / "vectors")
    spacy("init", "config", folder / "config.cfg", "--pipeline", "ner", "--optimize", "accuracy", "--force")
    settings = {
        "paths.train": folder / "train.spacy",
        "paths.dev": folder / "dev.spacy",
        "paths.vectors": folder / "vectors",
        "training.max_epochs": EPOCHS,
        "training.patience": 0,
        "system.seed": seed,
    }
    options = [word for key, value in settings.items() for word in (f"--{key}", value)]
    spacy("train", folder / "config.cfg", "--output", folder / "run", *options)
    return folder / "run" / "model-best"


def spacy(*words: object) -> None:
    subprocess.run([sys.executable, "-m", "spacy", *map(str, words)], check=True)


class Tagger:
    def __init__(self, model: Path) -> None:
        from spacy import load

        self.nlp = load(model)

    def __call__(self, sentences: Sequence[Sentence]) -> list[Found]:
        """spaCy tokenizes the text itself, in training too; its entities are mapped by their character offsets."""
        docs = self.nlp.pipe((" ".join(sentence.tokens) for sentence in sentences), batch_size=32)
        return [
            {token_span(sentence, entity.start_char, entity.end_char, entity.label_) for entity in doc.ents}
            for sentence, doc in zip(sentences, docs)
        ]


def token_span(sentence: Sentence, start: int, end: int, label: str) -> tuple[int, int, str]:
    """In tokens of the corpus; an entity that begins or ends inside a token has a negative index, so it is wrong."""
    ends = list(accumulate(len(token) + 1 for token in sentence.tokens))
    starts = [0, *ends]
    first = starts.index(start) if start in starts else -1 - start
    after = ends.index(end + 1) + 1 if end + 1 in ends else -1 - end
    return first, after, label
