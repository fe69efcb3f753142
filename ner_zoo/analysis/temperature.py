"""
Temperature scaling: one temperature for all scores of a model, fitted on held-out data.

    T = argmax  sum over sentences of log p_T(gold),        p_T(y) proportional to exp(score(y) / T)

All scores are divided by it: those of tokens and transitions of a chain, spans, links, pairs of entities. The
likelihood is concave in 1 / T, so there is one best temperature. Unannotated or unknown labels are summed over.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any

import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance
from allennlp.models import Model
from allennlp.nn.util import move_to_device
from torch import LongTensor

from ner_zoo.structures import UNKNOWN, Structure

LOWEST, HIGHEST = 0.05, 20.0
# More sentences do not improve the estimate of a single number.
MOST_SENTENCES = 3000
SENTENCES_AT_ONCE = 16
# Longer sentences are split into windows in use; there are always enough others.
LONGEST = 512

# A structure at temperature 1, and its gold labels.
Labelled = tuple[Structure, LongTensor]


@dataclass(frozen=True)
class Fit:
    """The temperature, and the mean log-likelihood per sentence at temperature 1 and at this one."""

    temperature: float
    before: float
    after: float


def fit_temperature(model: Model, instances: Iterable[Instance]) -> Fit:
    """Fits a temperature to instances with gold labels. Ignores the model's own temperature and leaves it unchanged."""
    own = model.temperature
    model.temperature = 1.0
    try:
        sentences, labelled = _labelled(model, instances)
    finally:
        model.temperature = own
    if not sentences:
        raise ConfigurationError(
            "There are no sentences to fit a temperature on. Pass a file with annotated sentences."
        )

    def likelihood(temperature: float) -> float:
        return sum(log_likelihood(one, gold, temperature) for one, gold in labelled) / sentences

    best = maximum(likelihood)
    return Fit(best, likelihood(1.0), likelihood(best))


def log_likelihood(structure: Structure, gold: LongTensor, temperature: float) -> float:
    """The log-likelihood of all sentences of a batch. Sentences with impossible gold labels are ignored."""
    tempered = structure.tempered(temperature)
    with torch.no_grad():
        is_partial = bool(((gold == UNKNOWN) & structure.mask).any())
        each = tempered.log_annotation(gold) if is_partial else tempered.log_likelihood(gold)
    return float(each[torch.isfinite(each)].double().sum())


def maximum(function: Any) -> float:
    """The maximum of a unimodal function of the temperature."""
    from scipy.optimize import minimize_scalar

    found = minimize_scalar(
        lambda point: -function(exp(point)),
        bounds=(log(LOWEST), log(HIGHEST)),
        method="bounded",
        options={"xatol": 1e-3},
    )
    return float(exp(found.x))


def _labelled(model: Model, instances: Iterable[Instance]) -> tuple[int, list[Labelled]]:
    model.eval()
    kept = [one for one in instances if 0 < len(one["text"].tokens) <= LONGEST][:MOST_SENTENCES]  # type: ignore
    # Similar lengths, to keep padding low.
    kept.sort(key=lambda one: len(one["text"].tokens))  # type: ignore[attr-defined]
    found: list[Labelled] = []
    for start in Tqdm.tqdm(range(0, len(kept), SENTENCES_AT_ONCE), desc="fitting the temperature", unit="batch"):
        with torch.no_grad():
            output = model(**_tensors(model, kept[start : start + SENTENCES_AT_ONCE]))
            found += output["structure"].factors(output["gold"])
    model.get_metrics(reset=True)
    return len(kept), found


def _tensors(model: Model, instances: Sequence[Instance]) -> dict[str, Any]:
    batch = Batch(instances)
    batch.index_instances(model.vocab)
    return move_to_device(batch.as_tensor_dict(), model._get_prediction_device())
