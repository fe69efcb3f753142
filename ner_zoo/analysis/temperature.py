"""
Temperature scaling: one temperature for all scores of a model, fitted on held-out data.

    T = argmax  sum over sentences of log p_T(gold),        p_T(y) proportional to exp(score(y) / T)

All scores are divided by it: those of tokens and transitions of a chain, spans, links, pairs of entities. The
likelihood is concave in 1 / T, so there is one best temperature. Unannotated or unknown labels are summed over.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log
from typing import Any

import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError
from torch import LongTensor

from ner_zoo.annotation import Sentence
from ner_zoo.predictors.forward import Forward
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


def fit_temperature(forward: Forward, sentences: Iterable[Sentence]) -> Fit:
    """Fits a temperature to annotated sentences. Ignores the model's own temperature and leaves it unchanged."""
    model = forward.model
    own = model.temperature
    model.temperature = 1.0
    try:
        count, labelled = _labelled(forward, sentences)
    finally:
        model.temperature = own
    if not count:
        raise ConfigurationError(
            "There are no sentences to fit a temperature on. Pass a file with annotated sentences."
        )

    def likelihood(temperature: float) -> float:
        return sum(log_likelihood(one, gold, temperature) for one, gold in labelled) / count

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


def _labelled(forward: Forward, sentences: Iterable[Sentence]) -> tuple[int, list[Labelled]]:
    kept = [one for one in sentences if 0 < len(one.tokens) <= LONGEST][:MOST_SENTENCES]
    # Similar lengths, to keep padding low.
    kept.sort(key=lambda one: len(one.tokens))
    found: list[Labelled] = []
    for start in Tqdm.tqdm(range(0, len(kept), SENTENCES_AT_ONCE), desc="fitting the temperature", unit="batch"):
        structure, gold = forward.labelled(kept[start : start + SENTENCES_AT_ONCE])
        found += structure.factors(gold)
    return len(kept), found
