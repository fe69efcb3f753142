import pytest
import torch
from torch.testing import assert_close

from ner_zoo.modules.dropout import Dropout


@pytest.mark.parametrize("p", [0.1, 0.2, 0.5, 0.9])
def test_each_value_is_dropped_with_probability_p_at_any_position(p):
    torch.manual_seed(0)
    ones = torch.ones(50_001, 4)
    found = Dropout(p)(ones)
    is_dropped = found == 0
    assert_close(is_dropped.float().mean(0), torch.full((4,), p), atol=0.01, rtol=0)
    assert_close(found[~is_dropped], torch.full(((~is_dropped).sum().item(),), 1 / (1 - p)), rtol=1e-3, atol=1e-4)
    together = (is_dropped[:, 0] & is_dropped[:, 1]).float().mean()
    assert_close(together, torch.tensor(p * p), atol=0.01, rtol=0)


def test_the_gradient_goes_where_the_values_went():
    torch.manual_seed(0)
    values = torch.randn(7, 5, dtype=torch.float64, requires_grad=True)
    found = Dropout(0.5)(values)
    found.sum().backward()
    assert_close(found, values * values.grad)
    assert (values.grad == 0).any() and (values.grad == 2).any()


@pytest.mark.parametrize("p", [0.0, 0.5])
def test_nothing_is_dropped_in_evaluation_or_without_a_probability(p):
    values = torch.randn(3, 4)
    dropout = Dropout(p)
    assert torch.equal(dropout.eval()(values), values)
    assert p or torch.equal(dropout.train()(values), values)
    assert not Dropout(1.0)(values).any()
    assert Dropout(0.3)(values[:0]).shape == (0, 4)


def test_the_same_seed_drops_the_same():
    found = [(torch.manual_seed(3), Dropout(0.4)(torch.ones(100)))[1] for _ in range(2)]
    assert torch.equal(*found)


def test_derivatives_of_any_order_use_the_same_draw():
    def dropped(values):
        torch.manual_seed(1)
        return Dropout(0.4)(values) ** 3

    values = torch.randn(3, 5, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(dropped, values)
    assert torch.autograd.gradgradcheck(dropped, values)
    assert torch.autograd.gradcheck(dropped, torch.randn(5, 3, dtype=torch.float64, requires_grad=True).t())


def test_calls_are_independent_and_other_precisions_work():
    torch.manual_seed(0)
    dropout, ones = Dropout(0.5), torch.ones(40_000)
    first, second = ((dropout(ones) == 0).double() for _ in range(2))
    assert abs(torch.corrcoef(torch.stack([first, second]))[0, 1]) < 0.03
    assert abs(torch.corrcoef(torch.stack([first[:-1], second[1:]]))[0, 1]) < 0.03
    assert 0 < (dropout(ones[:100].to(torch.bfloat16)) == 0).sum() < 100
