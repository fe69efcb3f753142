"""The operations of a chain in numpy compared with those of `LinearChain`, which are tested by enumeration."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from ner_zoo.labels.tags import TagLabels
from ner_zoo.light.chain import ChunkRules, Chunks, Transitions, best, chunks_of
from ner_zoo.light.chain_sums import Sums
from ner_zoo.light.n_best import n_best
from ner_zoo.light.tags import Tags
from ner_zoo.structures import LinearChain
from ner_zoo.structures.chunks import Chunks as TorchChunks

NAMES = ["O", "B-A", "I-A", "L-A", "U-A", "B-B", "I-B", "L-B", "U-B"]
LABELS = TagLabels.of(NAMES)
LENGTHS = np.array([5, 1, 7, 2, 7, 3])
RULES = ChunkRules(*(table.numpy() for table in LABELS.rules))


def pair(scale: float = 1.0, constrained: bool = True) -> tuple[LinearChain, np.ndarray, Transitions]:
    """The same random chain in torch and in numpy."""
    torch.manual_seed(11)
    mask = torch.arange(LENGTHS.max()) < torch.from_numpy(LENGTHS)[:, None]
    scores = scale * torch.randn(*mask.shape, len(NAMES))
    parts = [scale * torch.randn(len(NAMES), len(NAMES)), torch.randn(len(NAMES)), torch.randn(len(NAMES))]
    constraints = LABELS.constraints() if constrained else None
    chain = LinearChain(scores, parts[0], mask, parts[1], parts[2], constraints)
    legal = chain._raw().legal()
    return chain, scores.numpy(), Transitions(*(one.numpy() for one in (legal.transitions, legal.start, legal.end)))


def every_chunk() -> Chunks:
    spans = [
        (row, first, last, kind)
        for row, length in enumerate(LENGTHS)
        for first in range(length)
        for last in range(first + 1, length + 1)
        for kind in range(2)
    ]
    return Chunks(*np.array(spans).T)


@pytest.mark.parametrize("constrained", [True, False])
def test_the_best_labelling_is_the_same(constrained: bool) -> None:
    chain, scores, transitions = pair(3.0, constrained)
    found = best(scores, LENGTHS, transitions)
    assert np.array_equal(found, chain.best().numpy())
    if constrained:
        chunks = chunks_of(found, LENGTHS, RULES)
        assert len(chunks.row) > 3 and (chunks.last <= LENGTHS[chunks.row]).all()


@pytest.mark.parametrize("constrained", [True, False])
def test_probabilities_of_chunks_and_the_partition_are_the_same(constrained: bool) -> None:
    chain, scores, transitions = pair(2.0, constrained)
    chunks = every_chunk()
    expected = chain.chunk_marginals(TorchChunks(*map(torch.from_numpy, chunks)), LABELS.rules)
    found = Sums(scores, LENGTHS, transitions)
    assert_allclose(found.chunk_probabilities(chunks, RULES), expected.numpy(), atol=1e-6)
    assert_allclose(found.log_partition, chain.log_partition().numpy(), rtol=1e-5)


@pytest.mark.parametrize("scale", [400.0, 4000.0])
def test_scores_that_differ_by_hundreds_have_the_same_probabilities(scale: float) -> None:
    chain, scores, transitions = pair(scale)
    chunks = every_chunk()
    steps = chain.transitions.double()
    exact = LinearChain(chain.scores.double(), steps, chain.mask, chain.start, chain.end, chain.constraints)
    expected = exact.chunk_marginals(TorchChunks(*map(torch.from_numpy, chunks)), LABELS.rules).numpy()
    assert expected.max() > 0.99
    found = Sums(scores, LENGTHS, transitions)
    assert_allclose(found.chunk_probabilities(chunks, RULES), expected, atol=1e-5)
    assert_allclose(found.log_partition, exact.log_partition().numpy(), rtol=1e-6)


@pytest.mark.parametrize("n", [1, 3, 8])
def test_the_n_best_labellings_are_the_same(n: int) -> None:
    chain, scores, transitions = pair(2.0)
    labels, log_probabilities = chain.n_best(n)
    found, totals = n_best(scores, LENGTHS, transitions, n)
    has_one = np.isfinite(totals)
    assert_allclose((totals - chain.log_partition().numpy())[has_one], log_probabilities.numpy()[has_one], atol=1e-4)
    inside = np.arange(found.shape[2]) < LENGTHS[:, None]
    assert np.array_equal((found * inside)[has_one], labels.numpy()[has_one])
    assert np.array_equal(has_one, np.isfinite(log_probabilities.numpy()))


def test_chunks_of_one_sentence_cost_nothing_for_the_others() -> None:
    _, scores, transitions = pair()
    tags = Tags(["A", "B"], transitions, RULES, 1.0)
    chunk = Chunks(*(np.array([number]) for number in (3, 0, 1, 0)))
    alone = tags.chunk_probabilities(scores[3:4, :2], LENGTHS[3:4], chunk._replace(row=np.array([0])))
    assert_allclose(tags.chunk_probabilities(scores, LENGTHS, chunk), alone)
    assert tags.chunk_probabilities(scores, LENGTHS, Chunks(*np.zeros((4, 0), int))).shape == (0,)
