"""Shared by many tests: one thread per process, and a small experiment that uses only the platform of ner_zoo."""

import importlib
import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Before torch is imported: tests run in parallel, and numbers must not depend on how a sum is split.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import pytest

PEOPLE = ("Mirel Astor", "Dov Hanley", "Ione Prask", "Tam Verrill", "Oda")
PLACES = ("Kestrelford", "Lower Min", "Aubray", "Port Sel")
PATTERNS = (
    "{person} walked to {place} .",
    "The road from {place} is long .",
    "Where is {person} ?",
    "{person} met {other} in {place} today .",
)


def tagged(phrase: str, entity_type: str) -> str:
    prefixes = ["B", *"I" * phrase.count(" ")]
    return "\n".join(f"{word} NNP I-NP {prefix}-{entity_type}" for prefix, word in zip(prefixes, phrase.split()))


def made_up_corpus(sentences: int, seed: int) -> str:
    """Sentences in the four columns of CoNLL-2003, drawn from the names and patterns above."""
    draw = random.Random(seed)
    blocks = []
    for _ in range(sentences):
        names = {"{person}": draw.choice(PEOPLE), "{other}": draw.choice(PEOPLE), "{place}": draw.choice(PLACES)}
        words = draw.choice(PATTERNS).split()
        types = {"{place}": "LOC"}
        lines = [tagged(names[word], types.get(word, "PER")) if word in names else f"{word} X O O" for word in words]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


@pytest.fixture(scope="session", autouse=True)
def temporary_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder for everything that tests and their processes leave behind; it is deleted at the end."""
    tmp_path_factory.getbasetemp()  # stays where it is
    # Short, because the paths of sockets in it are limited.
    temporary = tempfile.TemporaryDirectory(prefix="nz", ignore_cleanup_errors=True)
    with temporary as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", folder)
        yield


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `train.txt` (30 sentences) and `dev.txt` (10), in the columns of CoNLL-2003."""
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "train.txt").write_text(made_up_corpus(30, seed=1))
    (folder / "dev.txt").write_text(made_up_corpus(10, seed=2))
    return folder


def make_stock_experiment(corpus: Path) -> dict[str, Any]:
    """AllenNLP's own `crf_tagger` with AllenNLP's `conll2003` reader, small, with dropout: 8 batches per epoch."""
    importlib.import_module("allennlp_models.tagging")
    return {
        "dataset_reader": {
            "type": "conll2003",
            "convert_to_coding_scheme": "BIOUL",
            "token_indexers": {
                "tokens": {"type": "single_id", "lowercase_tokens": True},
                "token_characters": {"type": "characters", "min_padding_length": 3},
            },
        },
        "train_data_path": str(corpus / "train.txt"),
        "validation_data_path": str(corpus / "dev.txt"),
        "vocabulary": {"min_count": {"tokens": 1}},
        "model": {
            "type": "crf_tagger",
            "label_encoding": "BIOUL",
            "dropout": 0.3,
            "include_start_end_transitions": False,
            "text_field_embedder": {
                "token_embedders": {
                    "tokens": {"type": "embedding", "embedding_dim": 8},
                    "token_characters": {
                        "type": "character_encoding",
                        "embedding": {"embedding_dim": 4, "vocab_namespace": "token_characters"},
                        "encoder": {"type": "cnn", "embedding_dim": 4, "num_filters": 4, "ngram_filter_sizes": [3]},
                    },
                }
            },
            "encoder": {"type": "lstm", "input_size": 12, "hidden_size": 6, "bidirectional": True},
            "initializer": {"regexes": [[".*weight_hh.*", {"type": "orthogonal"}]]},
        },
        "data_loader": {"batch_sampler": {"type": "bucket", "batch_size": 4, "padding_noise": 0.1}},
        "trainer": {
            "num_epochs": 3,
            "validation_metric": "+f1-measure-overall",
            "optimizer": {"type": "adam", "lr": 0.02},
            "cuda_device": -1,
        },
    }


@pytest.fixture
def stock_experiment(corpus: Path) -> dict[str, Any]:
    return make_stock_experiment(corpus)


@pytest.fixture(scope="session")
def stock_run(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of the stock experiment with one epoch; read-only."""
    from allennlp.commands.train import train_model
    from allennlp.common import Params

    experiment = make_stock_experiment(corpus)
    experiment["trainer"]["num_epochs"] = 1
    folder = tmp_path_factory.mktemp("stock") / "run"
    train_model(Params(experiment), str(folder))
    return folder
