"""The compiled loops and the torch operations give the same results, even where probabilities vanish."""

import threading
from math import inf

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.structures import ChainConstraints, LinearChain, chain_compiled, chain_torch
from tests.structures.enumeration import BATCHES, every_log_partition, every_marginal, random_chain, ranked, rows

SCALES = [1.0, 30.0, 300.0, 1e4]


def large_chain(seed: int = 0, dtype: torch.dtype = torch.float64, scale: float = 1.0) -> LinearChain:
    """33 labels, of which 1 to 16 may be started, continued and left like those of a BIOUL scheme."""
    torch.manual_seed(seed)
    kinds, labels = 8, 33
    outside, begin, inside, single, last = [0], range(1, 9), range(9, 17), range(17, 25), range(25, 33)
    legal = torch.zeros(labels, labels, dtype=torch.bool)
    for closed in [*outside, *single, *last]:
        legal[closed, [*outside, *begin, *single]] = True
    for kind in range(kinds):
        for opened in (begin[kind], inside[kind]):
            legal[opened, [inside[kind], last[kind]]] = True
    start = legal[0]
    end = legal[:, 0]
    order = torch.randperm(labels)
    constraints = ChainConstraints(legal[order][:, order], start[order], end[order])
    mask = torch.arange(40).unsqueeze(0) < torch.tensor([[40], [1], [23], [0], [7], [2]])
    parts = [
        scale * torch.randn(*shape, dtype=dtype) for shape in [(6, 40, labels), (labels, labels), (labels,), (labels,)]
    ]
    return LinearChain(parts[0], parts[1], mask, parts[2], parts[3], constraints)


@pytest.mark.parametrize("scale", SCALES)
def test_sums_and_gradients_agree(scale):
    chain = large_chain(scale=scale)
    inputs = [part.requires_grad_() for part in (chain.scores, chain.transitions, chain.start, chain.end)]
    potentials = chain._potentials()
    results = []
    for verbs in (chain_compiled, chain_torch):
        total = verbs.log_partition(potentials)
        weights = torch.arange(1.0, 7.0, dtype=torch.float64)
        results.append((total, verbs.marginals(potentials), torch.autograd.grad((weights * total).sum(), inputs)))
    assert_close(results[0], results[1])
    assert all(part.isfinite().all() for part in (*results[0][:2], *results[0][2]))


@pytest.mark.parametrize("scale", SCALES)
def test_entropies_agree_and_are_log_z_less_the_expected_score(scale):
    chain = large_chain(scale=scale)
    inputs = [part.requires_grad_() for part in (chain.scores, chain.transitions, chain.start, chain.end)]
    entropy = chain_compiled.entropy(chain._potentials())
    assert_close(entropy, chain_torch.entropy(chain._potentials()))
    total = chain.log_partition()
    expected = torch.autograd.grad(total.sum(), inputs)
    assert_close(entropy.sum(), (total.sum() - sum((p * g).sum() for p, g in zip(inputs, expected))), atol=1e-6, rtol=0)


def test_a_chain_that_is_nearly_decided_keeps_the_digits_of_its_entropy():
    chain = large_chain(scale=0.01)
    peak = torch.zeros_like(chain.scores).scatter_(2, chain.best().unsqueeze(2), 30.0)
    exact = chain.plus(peak).entropy()
    single = LinearChain(
        chain.plus(peak).scores.float(), chain.transitions, chain.mask, chain.start, chain.end, chain.constraints
    )
    assert (exact[0] > 0) and exact[0] < 1e-9
    assert_close(single.entropy().double(), exact, rtol=1e-3, atol=0)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_best_labellings_agree(scale, dtype):
    chain = large_chain(dtype=dtype, scale=scale)
    potentials = chain._potentials()
    labels, scores = chain_compiled.best(potentials)
    assert_close((labels, scores), chain_torch.best(potentials))
    assert_close(chain.score(labels), scores)
    ours, theirs = chain_compiled.n_best(potentials, 5), chain_torch.n_best(potentials, 5)
    assert_close(ours, theirs)
    assert torch.equal(ours[0][0], labels)


@pytest.mark.parametrize("scale", SCALES)
def test_the_same_random_numbers_draw_the_same_labellings(scale):
    potentials = large_chain(scale=scale)._potentials()
    uniform = torch.rand(50, 6, 40, dtype=torch.float64)
    assert torch.equal(chain_compiled.sample(potentials, uniform), chain_torch.sample(potentials, uniform))


def test_scores_of_labellings_agree():
    chain = large_chain()
    chain.scores.requires_grad_()
    labels = torch.randint(33, (6, 40))
    ours, theirs = chain_compiled.score(chain._raw(), labels), chain_torch.score(chain._raw(), labels)
    assert_close(ours, theirs)
    assert_close(*(torch.autograd.grad(total.sum(), chain.scores) for total in (ours, theirs)))


def test_single_precision_is_as_good_as_it_can_be():
    single, double = large_chain(dtype=torch.float32), large_chain(dtype=torch.float32)
    for name in ("scores", "transitions", "start", "end"):
        setattr(double, name, getattr(double, name).double())
    assert_close(single.log_partition().double(), double.log_partition(), rtol=1e-6, atol=1e-6)
    assert_close(single.marginals().double(), double.marginals(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("scale", [100.0, 1000.0, 1e4])
def test_scores_of_any_size_give_exact_and_finite_results(batch, scale):
    chain = random_chain(batch, seed=2, scale=scale)
    inputs = [part.requires_grad_() for part in (chain.scores, chain.transitions, chain.start, chain.end)]
    assert_close(chain.log_partition(), every_log_partition(chain))
    assert_close(chain.marginals(), every_marginal(chain))
    assert rows(chain, chain.best()) == [ranked(chain, at)[0][0] for at in range(len(chain.mask))]
    best = chain.best()
    for total in (chain.log_partition(), chain.max(), chain.score(best), chain.log_likelihood(best), chain.marginals()):
        gradients = torch.autograd.grad(total.sum(), inputs, retain_graph=True, allow_unused=True)
        assert total.isfinite().all() and all(part is None or part.isfinite().all() for part in gradients)


@pytest.mark.parametrize("loss, gain", [(800, 300), (800, 250), (2500, 900), (1e4, 1e4)])
def test_a_path_that_becomes_good_only_late_is_not_lost(loss, gain):
    """Label 1 is very unlikely at first, but only from it can label 2 be reached, which is better in the end."""
    scores = torch.zeros(1, 6, 3, dtype=torch.float64)
    scores[0, 0, 1] = -loss
    scores[0, 3:, 2] = gain
    legal = torch.tensor([[True, False, False], [False, True, True], [False, False, True]])
    constraints = ChainConstraints(legal, torch.tensor([True, True, False]), torch.ones(3, dtype=torch.bool))
    mask = torch.ones(1, 6, dtype=torch.bool)
    chain = LinearChain(scores, torch.zeros(3, 3, dtype=torch.float64), mask, constraints=constraints)
    assert_close(chain.log_partition(), every_log_partition(chain))
    assert_close(chain.marginals(), every_marginal(chain))


@pytest.mark.parametrize("offset", [0.3, 3.0, 30.0])
def test_small_losses_at_every_step_do_not_add_up(offset):
    """Thousands of steps that all favour the label that ends badly: no intermediate value underflows."""
    positions = 3000
    scores = torch.zeros(1, positions, 2, dtype=torch.float64)
    scores[0, :, 1] = -offset
    scores[0, -1, 1] = offset * positions
    chain = LinearChain(
        scores,
        torch.zeros(2, 2, dtype=torch.float64),
        torch.ones(1, positions).bool(),
        constraints=ChainConstraints(torch.eye(2).bool(), torch.ones(2).bool(), torch.ones(2).bool()),
    )
    assert_close(chain.log_partition(), torch.tensor([scores[0].sum(0).logsumexp(0)]))


def test_nan_scores_stay_visible():
    chain = large_chain()
    chain.scores[2, 3, 4] = float("nan")
    total = chain.log_partition()
    assert total[2].isnan() and total[[0, 1, 3, 4, 5]].isfinite().all()
    assert chain.best().shape == chain.mask.shape and chain.sample(2).shape == (2, *chain.mask.shape)


def test_infinite_scores_forbid_a_label():
    chain = large_chain()
    allowed = torch.rand(chain.scores.shape) < 0.8
    allowed[:, :, 0] = True
    forbidden = LinearChain(
        chain.scores.masked_fill(~allowed, -inf),
        chain.transitions,
        chain.mask,
        chain.start,
        chain.end,
        chain.constraints,
    )
    assert_close(forbidden.log_partition(), chain.restrict(allowed).log_partition())


def test_threads_may_work_at_the_same_time():
    chains = [large_chain(seed) for seed in range(8)]
    expected = [(chain.marginals(), chain.best()) for chain in chains]
    found = {}

    def work(number: int) -> None:
        for _ in range(20):
            found[number] = chains[number].marginals(), chains[number].best()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert_close([found[number] for number in range(8)], expected)
