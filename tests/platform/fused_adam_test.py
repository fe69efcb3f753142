import copy

import pytest
import torch
from allennlp.training.optimizers import AdamOptimizer, AdamWOptimizer
from torch.testing import assert_close


def steps(model, optimizer, number=4):
    for step in range(number):
        torch.manual_seed(step)
        optimizer.zero_grad()
        model(torch.randn(8, 3)).square().sum().backward()
        optimizer.step()


@pytest.mark.parametrize(("ours", "theirs"), [(AdamOptimizer, torch.optim.Adam), (AdamWOptimizer, torch.optim.AdamW)])
def test_weights_become_what_they_become_with_torchs_own(ours, theirs):
    model = torch.nn.Linear(3, 2)
    other = copy.deepcopy(model)
    optimizer = ours(list(model.named_parameters()), lr=0.01, weight_decay=0.1)
    assert all(group["fused"] for group in optimizer.param_groups)
    steps(model, optimizer)
    steps(other, theirs(other.parameters(), lr=0.01, weight_decay=0.1))
    assert_close(model.state_dict(), other.state_dict())


def test_a_checkpoint_of_an_unfused_adam_can_be_resumed():
    model = torch.nn.Linear(3, 2)
    before = torch.optim.Adam(model.parameters(), lr=0.01)
    steps(model, before)
    other = copy.deepcopy(model)
    optimizer = AdamOptimizer(list(other.named_parameters()), lr=0.01)
    optimizer.load_state_dict(copy.deepcopy(before.state_dict()))
    steps(model, before)
    steps(other, optimizer)
    assert_close(other.state_dict(), model.state_dict())
