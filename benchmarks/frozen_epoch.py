"""
A training step on a frozen encoder whose vectors are on disk, compared with running the encoder in every step.

Batches of 16 sentences in file order; a learned mix of all layers, a BiLSTM with 100 states per direction, CRF.
"""

import torch
from allennlp.data import Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader

from benchmarks.contest import Contest, Work, contest
from benchmarks.encoders import encoder_folder, reader, tagger
from benchmarks.tagger_pair import TRAINING_BATCH, batches, corpus, training_step
from benchmarks.temporary import temporary_folder
from ner_zoo.data.vector_store import VectorStore
from ner_zoo.training.frozen_vectors import filled_store

BATCHES = 2


@contest("frozen_epoch")
def frozen_epoch() -> Contest:
    source = reader(encoder_folder())
    source.max_instances = BATCHES * TRAINING_BATCH
    train = list(source.read(str(corpus()[1])))
    vocab = Vocabulary.from_instances(train)
    embedder = {"type": "frozen_encoder", "model_name": encoder_folder()}
    model = tagger(embedder, {"type": "padded_lstm", "hidden_size": 100}, vocab)
    for instance in train:
        source.apply_token_indexers(instance)
    loader = SimpleDataLoader(train, TRAINING_BATCH, vocab=vocab)
    frozen = model.embedder.token_embedder_encoder
    store = filled_store(temporary_folder(), frozen, "encoder", [loader])
    optimizer = torch.optim.Adam([part for part in model.parameters() if part.requires_grad])
    tensors = batches(train, TRAINING_BATCH)

    def steps(store: VectorStore | None) -> Work:
        def work() -> None:
            frozen.store = store
            for batch in tensors:
                training_step(model, batch, optimizer)

        return work

    return Contest(steps(store), steps(None), "the same step with the encoder run each time", f"ms/{BATCHES}", rounds=3)
