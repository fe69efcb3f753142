"""
Runs a frozen encoder once on every sentence of the training and validation data, before training.

Its output is stored in a `VectorStore` next to the run, `encoder_vectors/`, shared by the runs of one `compare` or
`clean`; the environment variable NER_ZOO_VECTORS sets another folder. Sentences that are already stored, by this run or
any other, are not processed again. This is one of the default callbacks, and does nothing for other models.
"""

import logging
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from allennlp.common.tqdm import Tqdm
from allennlp.data import DataLoader, TokenIndexer
from allennlp.data.fields import TextField
from allennlp.models import Model
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides
from torch import Tensor

from ner_zoo.data.token_budget import token_batches
from ner_zoo.data.vector_store import FOLDER, VARIABLE, VectorStore, sentence_key
from ner_zoo.modules.frozen_encoder import FrozenEncoder
from ner_zoo.platform.run_callback import RunCallback
from ner_zoo.platform.threads import cores, torch_threads
from ner_zoo.training.embedding_layer import token_embedders

logger = logging.getLogger(__name__)

# Number of sentences to sort by length together, of word pieces in a batch, and of bytes in a file.
AT_ONCE, MOST_PIECES, MOST_BYTES = 20_000, 1024, 1 << 26


@TrainerCallback.register("frozen_vectors")
class FrozenVectors(RunCallback):
    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        loaders = [one for one in (trainer.data_loader, trainer._validation_data_loader) if one is not None]
        store_vectors(trainer.model, loaders, trainer._serialization_dir or ".")

    @overrides
    def finish(self, trainer: GradientDescentTrainer, metrics: dict[str, Any] | None) -> None:
        forget_vectors(trainer.model)


def store_vectors(model: Model, loaders: Iterable[DataLoader], run: str) -> None:
    """Fills the stores of a model's frozen encoders, next to the folder of a run, and connects the model to them."""
    folder = Path(os.environ.get(VARIABLE) or Path(run).absolute().parent / FOLDER)
    for name, embedder in token_embedders(model).items():
        if isinstance(embedder, FrozenEncoder):
            embedder.store = filled_store(folder, embedder, name, loaders)


def forget_vectors(model: Model) -> None:
    """Disconnects the stores: the encoders run themselves again."""
    for embedder in token_embedders(model).values():
        if isinstance(embedder, FrozenEncoder):
            embedder.store = None


class Pieces(NamedTuple):
    """A sentence as seen by an encoder: its indexer, and the indexer's output."""

    indexer: TokenIndexer
    indexed: dict[str, list[Any]]

    @property
    def key(self) -> bytes:
        offsets = np.array(self.indexed["offsets"], dtype=np.int64)
        return sentence_key(np.array(self.indexed["token_ids"], dtype=np.int64), offsets)


def filled_store(folder: Path, encoder: FrozenEncoder, name: str, loaders: Iterable[DataLoader]) -> VectorStore:
    """The store of an encoder with every sentence of the loaders in it; `name` is the name of its indexer."""
    store = VectorStore(folder, encoder.fingerprint(), len(encoder.layers), encoder.get_output_dim())
    sentences = (pieces for loader in loaders for pieces in pieces_of(loader, name))
    with store.locked(), torch_threads(cores(), is_default=False):
        known = len(store)
        while some := list(islice(sentences, AT_ONCE)):
            missing = {key: pieces for key, pieces in ((one.key, one) for one in some) if key not in store}
            fill(store, encoder, missing)
    logger.info(
        "Vectors of a frozen encoder: %s sentences were already in %s, %s are new; %.1f MB.",
        f"{known:,}",
        store.folder,
        f"{len(store) - known:,}",
        store.size / 1e6,
    )
    return store


def pieces_of(loader: DataLoader, name: str) -> Iterator[Pieces]:
    for instance in loader.iter_instances():
        for field in instance.fields.values():
            if isinstance(field, TextField) and name in field.token_indexers and len(field):
                yield Pieces(field.token_indexers[name], field._indexed_tokens[name])


def fill(store: VectorStore, encoder: FrozenEncoder, missing: dict[bytes, Pieces]) -> None:
    """Computes the vectors of sentences in batches of similar length, and writes a file whenever there are enough."""
    sentences, keys = list(missing.values()), list(missing)
    found: dict[bytes, Tensor] = {}
    device = next(encoder.parameters()).device
    batches = list(token_batches([len(one.indexed["token_ids"]) for one in sentences], MOST_PIECES))
    for batch in Tqdm.tqdm(batches, desc="running the frozen encoder") if batches else ():
        tensors = {name: one.to(device) for name, one in padded([sentences[number] for number in batch]).items()}
        vectors = encoder.encoded(**tensors).cpu()  # (layers, batch, words, dim)
        for row, number in enumerate(batch):
            found[keys[number]] = vectors[:, row, : len(sentences[number].indexed["offsets"])].clone()
        if sum(one.nbytes for one in found.values()) > MOST_BYTES:
            store.add(list(found), list(found.values()))
            found = {}
    if found:
        store.add(list(found), list(found.values()))


def padded(sentences: list[Pieces]) -> dict[str, Tensor]:
    lengths = {key: max(len(one.indexed[key]) for one in sentences) for key in sentences[0].indexed}
    rows = [one.indexer.as_padded_tensor_dict(one.indexed, lengths) for one in sentences]
    return {key: torch.stack([row[key] for row in rows]) for key in rows[0]}
