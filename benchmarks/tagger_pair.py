"""
The same BiLSTM-CNN-CRF twice: AllenNLP's stock `crf_tagger` and our `tagger`, with the same layers, sizes and batches.

Words of WNUT-17 (from $NER_ZOO_DATA, else ../shared/data, else the bundled demo corpus) have frozen vectors of size 50
and a character CNN of size 60, as in roseq/wnut17_base; the BiLSTM has 100 states per direction. Batches contain
consecutive sentences, 16 in training and 64 in evaluation, and are converted to tensors beforehand.
"""

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from allennlp.common import Params
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.models import Model
from allennlp_models.tagging.models import CrfTagger  # noqa: F401  registers it

import ner_zoo  # noqa: F401  registers its parts

ROOT = Path(__file__).parents[1]
TRAINING_BATCH, EVALUATION_BATCH = 16, 64
INPUTS, HIDDEN = 110, 100


@dataclass(frozen=True)
class TaggerPair:
    ours: Model
    theirs: Model
    training: list[dict[str, Any]]
    evaluation: list[dict[str, Any]]
    instances: list[Instance]

    @classmethod
    @lru_cache(maxsize=1)
    def build(cls) -> "TaggerPair":
        train, dev = instances()
        vocab = Vocabulary.from_instances(train + dev)
        for instance in train + dev:
            instance.index_fields(vocab)
        pair = cls(
            Model.from_params(Params(our_config()), vocab=vocab),
            Model.from_params(Params(their_config()), vocab=vocab),
            batches(train[: 40 * TRAINING_BATCH], TRAINING_BATCH),
            batches(dev[: 5 * EVALUATION_BATCH], EVALUATION_BATCH),
            dev[:EVALUATION_BATCH],
        )
        # Untrained models find entities everywhere, which would distort the time for counting and printing them.
        for model, part in ((pair.ours, our_part), (pair.theirs, their_part)):
            optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], 0.01)
            model.train()
            for batch in pair.training:
                training_step(model, part(batch), optimizer)
        return pair


def corpus() -> tuple[str, Path, Path]:
    """A reader, training data and development data."""
    for folder in (Path(os.environ.get("NER_ZOO_DATA", "data")), ROOT.parent / "shared" / "data"):
        train, dev = folder / "wnut17" / "wnut17train.conll", folder / "wnut17" / "emerging.dev.conll"
        if train.exists() and dev.exists():
            return "wnut", train, dev
    demo = ROOT / "fixtures" / "demo"
    return "span_json", demo / "train.jsonl", demo / "dev.jsonl"


def instances() -> "tuple[list[Instance], list[Instance]]":
    name, train, dev = corpus()
    words = {"type": "single_id", "namespace": "words", "lowercase_tokens": True}
    characters = {"type": "characters", "min_padding_length": 4}
    config = {
        "type": name,
        "view": {"type": "tags", "scheme": "BIOUL"},
        "token_indexers": {"words": words, "characters": characters},
    }
    reader = DatasetReader.from_params(Params(config))
    return list(reader.read(str(train))), list(reader.read(str(dev)))


def batches(instances: list[Instance], size: int) -> list[dict[str, Any]]:
    chunks = [instances[first : first + size] for first in range(0, len(instances), size)]
    return [Batch(chunk).as_tensor_dict() for chunk in chunks]


def embedder(characters: dict[str, Any]) -> dict[str, Any]:
    words = {"type": "embedding", "embedding_dim": 50, "vocab_namespace": "words", "trainable": False}
    return {"token_embedders": {"words": words, "characters": characters}}


def our_config() -> dict[str, Any]:
    characters = {"type": "character_cnn", "embedding_dim": 30, "widths": [2, 3, 4], "num_filters": 20}
    encoder = {"type": "padded_lstm", "input_size": INPUTS, "hidden_size": HIDDEN}
    dropout = {"embedding_dropout": 0.5, "dropout": 0.5}
    return {
        "type": "tagger",
        "embedder": embedder(characters),
        "encoder": encoder,
        "head": "crf",
        "loss": "nll",
        **dropout,
    }


def their_config() -> dict[str, Any]:
    cnn = {"type": "cnn", "embedding_dim": 30, "ngram_filter_sizes": [2, 3, 4], "num_filters": 20}
    letters = {"embedding_dim": 30, "vocab_namespace": "token_characters"}
    characters = {"type": "character_encoding", "embedding": letters, "encoder": cnn}
    encoder = {"type": "lstm", "input_size": INPUTS, "hidden_size": HIDDEN, "bidirectional": True}
    rest = {"label_encoding": "BIOUL", "dropout": 0.5}
    return {"type": "crf_tagger", "text_field_embedder": embedder(characters), "encoder": encoder, **rest}


def our_part(batch: dict[str, Any]) -> dict[str, Any]:
    return {"text": batch["text"], "labels": batch["labels"], "metadata": batch["metadata"]}


def their_part(batch: dict[str, Any]) -> dict[str, Any]:
    return {"tokens": batch["text"], "tags": batch["labels"].clamp(min=0)}


def training_step(model: Model, batch: dict[str, Any], optimizer: torch.optim.Optimizer) -> None:
    """As in the trainer, which switches the model to training once per epoch."""
    optimizer.zero_grad()
    model(**batch)["loss"].backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
