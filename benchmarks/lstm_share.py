"""
The matrix products of the LSTM alone, compared with the whole training step: the ratio is their share of the step.

`lstm_share` is the step of `train_step`. `lstm_share_200` has the sizes of a common BiLSTM-CNN-CRF: word vectors of
300, 200 states per direction, batches of 32. The products are those of the forward and the backward pass: inputs,
recurrent, and the gradients of inputs and weights.
"""

import numpy as np
import torch
from allennlp.common import Params
from allennlp.data import Vocabulary
from allennlp.models import Model
from allennlp.nn.util import get_text_field_mask
from allennlp.training.optimizers import AdamOptimizer
from numba import njit
from numpy import ndarray

from benchmarks.contest import Contest, Work, contest
from benchmarks.tagger import STEPS, training
from benchmarks.tagger_pair import HIDDEN, INPUTS, TRAINING_BATCH, batches, instances, our_config, our_part
from ner_zoo.modules.lstm_recurrence import Steps
from ner_zoo.modules.small_products import multiply, packed

CHARACTERS = 60


@contest("lstm_share")
def lstm_share() -> Contest:
    return share(INPUTS - CHARACTERS, HIDDEN, TRAINING_BATCH)


@contest("lstm_share_200")
def lstm_share_200() -> Contest:
    return share(words=300, hidden=200, batch=32)


def share(words: int, hidden: int, batch: int) -> Contest:
    train, dev = instances()
    vocab = Vocabulary.from_instances(train + dev)
    chosen = train[: STEPS * batch]
    for instance in chosen:
        instance.index_fields(vocab)
    tensors = [our_part(one) for one in batches(chosen, batch)]
    model = Model.from_params(Params(config(words, hidden)), vocab=vocab)
    adam = AdamOptimizer([named for named in model.named_parameters() if named[1].requires_grad])
    masks = [get_text_field_mask(one["text"]) for one in tensors]
    alone = [products(Steps.of(mask.sum(1), mask.shape[1]), words + CHARACTERS, hidden) for mask in masks]

    def all_products() -> None:
        for work in alone:
            work()

    return Contest(training(model, tensors, adam), all_products, "the products of its LSTM alone", f"ms/{STEPS}")


def config(words: int, hidden: int) -> dict:
    sized = our_config()
    sized["embedder"]["token_embedders"]["words"]["embedding_dim"] = words
    return sized | {"encoder": {"type": "padded_lstm", "input_size": words + CHARACTERS, "hidden_size": hidden}}


def products(steps: Steps, inputs: int, hidden: int) -> Work:
    """As in `lstm_recurrence`, on random numbers."""
    tokens, matrix, bias = (
        torch.randn(len(steps.order), inputs),
        torch.randn(8 * hidden, inputs),
        torch.randn(8 * hidden),
    )
    gradient, before = torch.randn(len(tokens), 8 * hidden), torch.randn(len(tokens), hidden)
    recurrent = torch.randn(4 * hidden, hidden)
    panels = [packed(weights).numpy() for weights in (recurrent.t(), recurrent)]
    rows = [np.ones((int(steps.counts[0]), size), np.float32) for size in (hidden, 4 * hidden)]
    sums = [np.empty((len(row), 16 * len(panel)), np.float32) for row, panel in zip(rows, panels)]

    def work() -> None:
        torch.addmm(bias, tokens, matrix.t())
        gradient @ matrix
        gradient.t() @ tokens
        for of_direction in gradient.chunk(2, 1):
            of_direction.t() @ before
            for row, panel, total in zip(rows, panels, sums):
                of_steps(row, steps.counts, panel, total)

    return work


@njit(error_model="numpy")
def of_steps(rows: ndarray, counts: ndarray, panels: ndarray, sums: ndarray) -> None:
    for count in counts:
        multiply(rows, count, panels, sums)
