"""The decaying learning rate."""

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from torch.testing import assert_close


def schedule(rates=(1e-3,), **settings):
    groups = [{"params": [torch.nn.Parameter(torch.zeros(1))], "lr": rate} for rate in rates]
    optimizer = torch.optim.SGD(groups)
    params = Params({"type": "inverse_decay", **settings})
    return optimizer, LearningRateScheduler.from_params(params, optimizer=optimizer)


def epochs(optimizer, scheduler, number):
    """The rates of each epoch: the trainer steps at its end."""
    rates = []
    for _ in range(number):
        rates.append([group["lr"] for group in optimizer.param_groups])
        scheduler.step()
    return rates


def test_the_rate_falls_with_every_epoch_to_the_floor():
    rates = epochs(*schedule(rho=0.05, floor=1e-4), 250)
    expected = [[max(1e-3 / (1 + 0.05 * epoch), 1e-4)] for epoch in range(250)]
    assert_close(torch.tensor(rates), torch.tensor(expected))
    assert rates[0] == [1e-3] and rates[-1] == [1e-4]


def test_the_floor_raises_no_rate():
    assert epochs(*schedule(rates=(1e-3, 2e-5), rho=1.0, floor=1e-4), 20)[-1] == [pytest.approx(1e-4), 2e-5]


def test_a_resumed_run_continues_where_it_stopped():
    whole = epochs(*schedule(rho=0.3), 10)
    optimizer, scheduler = schedule(rho=0.3)
    first = epochs(optimizer, scheduler, 4)
    state = scheduler.state_dict(), optimizer.state_dict()
    optimizer, scheduler = schedule(rho=0.3)
    scheduler.load_state_dict(state[0])
    optimizer.load_state_dict(state[1])
    assert first + epochs(optimizer, scheduler, 6) == whole


@pytest.mark.parametrize("settings", [{"rho": -1.0}, {"rho": float("nan")}, {"floor": -1e-4}])
def test_what_would_let_the_rate_rise_is_refused(settings):
    with pytest.raises(ConfigurationError, match="0 or more"):
        schedule(**settings)
