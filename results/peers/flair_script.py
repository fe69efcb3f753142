"""
Trains a tagger of flair and predicts with it, in the environment of flair: see flair_tagger.py.

    flair_script.py train FOLDER SEED VECTORS...          predict MODEL < lists of sentences, as JSON lines
"""

import gzip
import json
import os
import sys
import time
from pathlib import Path
from typing import TextIO

import flair
from flair.data import Dictionary, Sentence
from flair.datasets import ColumnCorpus
from flair.embeddings import CharacterEmbeddings, StackedEmbeddings, WordEmbeddings
from flair.models import SequenceTagger
from flair.trainers import ModelTrainer
from gensim.models import KeyedVectors

EPOCHS = 40


def train(folder: Path, seed: int, files: list[str]) -> None:
    flair.set_seed(seed)
    corpus = ColumnCorpus(
        folder,
        {0: "text", 1: "ner"},
        column_delimiter="\t",
        train_file="train.txt",
        dev_file="dev.txt",
        test_file="dev.txt",
    )
    words = [WordEmbeddings(str(converted(file, folder)), force_cpu=True) for file in files]
    tagger = SequenceTagger(
        embeddings=StackedEmbeddings([*words, CharacterEmbeddings(str(characters(folder)))]),
        tag_dictionary=corpus.make_label_dictionary("ner", add_unk=False),
        tag_type="ner",
        hidden_size=256,
        use_crf=True,
    )
    # The learning rate of flair's own NER taggers.
    ModelTrainer(tagger, corpus).train(
        folder / "run",
        learning_rate=0.1,
        mini_batch_size=32,
        max_epochs=EPOCHS,
        # flair would evaluate with the embeddings of the first epoch, also of characters, which are learned.
        embeddings_storage_mode="none",
        write_weights=False,
    )


def characters(folder: Path) -> Path:
    """The characters of the training data; flair would download a list."""
    known = Dictionary()
    for character in sorted(set((folder / "train.txt").read_text(encoding="utf-8"))):
        known.add_item(character)
    known.save(folder / "characters")
    return folder / "characters"


def converted(file: str, folder: Path) -> Path:
    """The vectors in the format that flair reads."""
    target = folder / f"{Path(file).name}.gensim"
    if not target.exists():
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split(" ") for line in lines]
        size = max(len(row) for row in rows[1:]) - 1
        kept = [row for row in rows if len(row) == size + 1]
        vectors = KeyedVectors(vector_size=size)
        vectors.add_vectors([row[0] for row in kept], [[float(value) for value in row[1:]] for row in kept])
        vectors.save(str(target))
    return target


def predict(model: str, answers: TextIO) -> None:
    tagger = SequenceTagger.load(model)
    for line in sys.stdin:
        sentences = [Sentence(words) for words in json.loads(line)]
        start = time.process_time()
        tagger.predict(sentences, mini_batch_size=32)
        seconds = time.process_time() - start
        found = [
            [(span[0].idx - 1, span[-1].idx, span.get_label("ner").value) for span in sentence.get_spans("ner")]
            for sentence in sentences
        ]
        print(json.dumps({"entities": found, "seconds": seconds}), file=answers, flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "train":
        train(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
    else:
        # Only answers go to the standard output, not the log of flair.
        answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        predict(sys.argv[2], answers)
