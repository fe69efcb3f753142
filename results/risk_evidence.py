"""
Measures how much a trained joint model can still learn from minimum risk training: for different ways of drawing the
samples, how probable the gold output is among them, what the others cost, and how large the gradient of the risk is.

    python -m results.risk_evidence out/results/mrt_conll04/conll04_nn/seed_*/model.tar.gz

For each archive, the training sentences that have a relation are read in batches of 16, with dropout, as in training,
or without it, as the published code draws its samples. The table shows the mean over archives.
"""

import argparse
import itertools
from collections.abc import Iterator
from statistics import mean

import torch
from allennlp.common import Params
from allennlp.data import DatasetReader
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models import load_archive
from torch import Tensor

from ner_zoo.losses.minimum_risk import MinimumRisk
from results.table import table

BATCH = 16
# Title -> epsilon, samples, draws, alpha, mu, as in the configs, and whether there is dropout; the first row has the
# values of the paper.
SETTINGS: dict[str, tuple[float, int, int | None, float, float, bool]] = {
    "paper: `epsilon` 0.1, 3 samples, `alpha` 1e-4, `mu` 1": (0.1, 3, None, 1e-4, 1.0, True),
    "`epsilon` 0.1, 5 samples, `alpha` 1, `mu` 0.5": (0.1, 5, None, 1.0, 0.5, True),
    "`epsilon` 0, 12 samples, `alpha` 1, `mu` 0.5": (0.0, 12, 60, 1.0, 0.5, True),
    "the same without dropout": (0.0, 12, 60, 1.0, 0.5, False),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m results.risk_evidence", description=__doc__)
    parser.add_argument("archives", nargs="+", metavar="ARCHIVE")
    parser.add_argument("--batches", type=int, default=4, help="batches to read for each archive")
    arguments = parser.parse_args()
    found = [evidence(path, arguments.batches) for path in arguments.archives]
    rows = []
    for title in SETTINGS:
        columns = zip(*(one[title] for one in found))
        outputs, sure, cost, ratio = map(mean, columns)
        rows.append([title, f"{outputs:.1f}", f"{100 * sure:.0f}%", f"{cost:.2f}", f"{ratio:.1g}"])
    print(table(["", "distinct outputs", "Q(gold) above 0.99", "cost of the others", "gradient, risk / local"], rows))


def evidence(path: str, batches: int) -> dict[str, tuple[float, float, float, float]]:
    """For each setting: outputs per sentence, share of sentences with Q(gold) > 0.99, mean cost, ratio of gradients."""
    archive = load_archive(path)
    model = archive.model
    settings = archive.config.duplicate()
    reader = DatasetReader.from_params(Params(settings["dataset_reader"].as_dict()))
    instances = [one for one in reader.read(settings["train_data_path"]) if one["metadata"].metadata.relations]
    loader = SimpleDataLoader(instances, BATCH, vocab=model.vocab)
    found = {}
    for title, (epsilon, samples, draws, alpha, mu, has_dropout) in SETTINGS.items():
        model.train(has_dropout)
        risk = MinimumRisk(model.vocab, "both", samples, alpha, mu, epsilon=epsilon, max_draws=draws)
        risk.rules = model.labels.rules
        torch.manual_seed(0)
        each = [one for batch in itertools.islice(loader, batches) for one in of_batch(model, risk, batch)]
        found[title] = tuple(map(mean, zip(*each)))
    return found  # type: ignore[return-value]


def of_batch(model: torch.nn.Module, risk: MinimumRisk, batch: dict) -> Iterator[tuple[float, float, float, float]]:
    seen = []
    hook = model.loss.register_forward_hook(lambda module, inputs, output: seen.append((*inputs, output)))
    model(**batch)
    hook.remove()
    joint, gold, local = seen[0]
    outcomes = risk.joint_outcomes(joint, gold)
    ratio = size(model, risk.risk_of(outcomes).mean()) / size(model, local)
    q = risk.log_q(outcomes).exp()[0]
    others = outcomes.exists[1:].sum(0)
    cost = (outcomes.cost * outcomes.exists)[1:].sum(0) / others.clamp(min=1)
    for number in range(len(q)):
        yield 1.0 + others[number].item(), float(q[number] > 0.99), cost[number].item(), ratio


def size(model: torch.nn.Module, loss: Tensor) -> float:
    """The length of the gradient of all parameters together."""
    parameters = [one for one in model.parameters() if one.requires_grad]
    gradients = torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True)
    return torch.stack([one.norm() for one in gradients if one is not None]).norm().item()


if __name__ == "__main__":
    main()
