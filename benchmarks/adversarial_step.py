"""
A training step with adversarial training of words and characters, compared with the plain step of an equal tagger.

The tagger is like RoSeq's base with fewer inputs and without fusion: frozen word vectors of size 50, a character CNN
with highway layers, a BiLSTM with 100 states per direction, CRF. The sentences are those of `tagger_pair`, in batches
of 16.
"""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import torch
from allennlp.common import Params
from allennlp.data import Instance, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models import Model
from allennlp.training import GradientDescentTrainer

from benchmarks.contest import Contest, Work, contest
from benchmarks.tagger_pair import HIDDEN, INPUTS, TRAINING_BATCH, batches, embedder, instances
from ner_zoo.training.adversarial_training import AdversarialTraining

BATCHES = 5
MODEL: dict[str, Any] = {
    "type": "tagger",
    "embedder": embedder(
        {
            "type": "character_cnn",
            "embedding_dim": 30,
            "widths": [2, 3, 4],
            "num_filters": 20,
            "num_highway": 2,
            "activation": "tanh",
        }
    ),
    "encoder": {"type": "padded_lstm", "input_size": INPUTS, "hidden_size": HIDDEN},
    "head": "crf",
    "loss": "nll",
    "embedding_dropout": 0.2,
    "dropout": 0.5,
}


def steps(trainer: GradientDescentTrainer, outputs: Callable[..., Any], tensors: list[dict[str, Any]]) -> Work:
    """One step per batch, as in the trainer."""

    def work() -> None:
        trainer.model.train()
        for batch in tensors:
            trainer.optimizer.zero_grad()
            outputs(batch, for_training=True)["loss"].backward()
            torch.nn.utils.clip_grad_norm_(trainer.model.parameters(), 5.0)
            trainer.optimizer.step()

    return work


@contest("adversarial_step")
def adversarial_step() -> Contest:
    train = instances()[0][: BATCHES * TRAINING_BATCH]
    vocab = Vocabulary.from_instances(train)
    for instance in train:
        instance.index_fields(vocab)
    # Two taggers: where the callback is registered, the character CNN computes a vector for every letter in plain steps
    # too, and is slower than in training without it.
    plain, adversarial = trainer_of(train, vocab), trainer_of(train, vocab)
    AdversarialTraining("", epsilon=0.03, norm="relative").on_start(adversarial)
    tensors = batches(train, TRAINING_BATCH)
    ours, theirs = (steps(trainer, trainer.batch_outputs, tensors) for trainer in (adversarial, plain))
    return Contest(ours, theirs, "the plain step of an equal tagger", f"ms/{BATCHES}")


def trainer_of(train: list[Instance], vocab: Vocabulary) -> GradientDescentTrainer:
    model = Model.from_params(Params(deepcopy(MODEL)), vocab=vocab)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], 0.001)
    return GradientDescentTrainer(model, optimizer, SimpleDataLoader(train, TRAINING_BATCH, vocab=vocab))
