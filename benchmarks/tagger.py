"""Training, evaluation and prediction of a BiLSTM-CNN-CRF, compared with AllenNLP's stock `crf_tagger`."""

from collections.abc import Callable
from typing import Any

import torch
from allennlp.data import Instance
from allennlp.models import Model
from allennlp.training.optimizers import AdamOptimizer

from benchmarks.contest import Contest, Work, contest
from benchmarks.tagger_pair import TaggerPair, our_part, their_part, training_step

PEER = "allennlp_models crf_tagger"
# Training uses this many batches per call; the time of one is reported.
STEPS = 5


@contest("train_step")
def train_step() -> Contest:
    pair = TaggerPair.build()
    adam = AdamOptimizer([named for named in pair.ours.named_parameters() if named[1].requires_grad])
    ours = training(pair.ours, [our_part(batch) for batch in pair.training], adam)
    stock = torch.optim.Adam([part for part in pair.theirs.parameters() if part.requires_grad])
    theirs = training(pair.theirs, [their_part(batch) for batch in pair.training], stock)
    return Contest(ours, theirs, PEER, f"ms/{STEPS}")


def training(model: Model, batches: list[dict[str, Any]], optimizer: torch.optim.Optimizer) -> Work:
    """The same batches on every call, so that the work is the same; each side has its own version of Adam."""
    chosen = batches[:: len(batches) // STEPS][:STEPS]

    def work() -> None:
        model.train()
        for batch in chosen:
            training_step(model, batch, optimizer)

    return work


@contest("evaluate")
def evaluate() -> Contest:
    pair = TaggerPair.build()
    return Contest(
        evaluation(pair.ours, [our_part(batch) for batch in pair.evaluation]),
        evaluation(pair.theirs, [their_part(batch) for batch in pair.evaluation]),
        PEER,
    )


def evaluation(model: Model, batches: list[dict[str, Any]]) -> Work:
    """Loss, best taggings and F1 of a few hundred sentences."""

    @torch.no_grad()
    def work() -> None:
        model.eval()
        for batch in batches:
            model(**batch)
        model.get_metrics(reset=True)

    return work


@contest("predict")
def predict() -> Contest:
    """Ours returns entities with their probabilities, theirs returns tags."""
    pair = TaggerPair.build()
    ours = [Instance({"text": instance["text"], "metadata": instance["metadata"]}) for instance in pair.instances]
    theirs = [Instance({"tokens": instance["text"]}) for instance in pair.instances]
    return Contest(prediction(pair.ours, ours), prediction(pair.theirs, theirs), PEER)


def prediction(model: Model, instances: list[Instance]) -> Callable[[], Any]:
    def work() -> Any:
        model.eval()
        return model.forward_on_instances(instances)

    return work
