import torch
from torch.testing import assert_close

from ner_zoo.modules.int8_linear import Int8Linear, quantize_linears


def error(found, expected):
    return float((found - expected).detach().norm() / expected.detach().norm())


def test_it_is_nearly_the_layer_in_float():
    torch.manual_seed(0)
    for linear in (torch.nn.Linear(64, 32), torch.nn.Linear(64, 32, bias=False)):
        rows = torch.randn(2, 5, 64)
        assert 1e-4 < error(Int8Linear(linear)(rows), linear(rows)) < 0.02


def test_a_row_of_large_numbers_does_not_disturb_the_others():
    torch.manual_seed(0)
    linear, rows = torch.nn.Linear(64, 32), torch.randn(5, 64)
    alone = Int8Linear(linear)(rows)
    with_large = Int8Linear(linear)(torch.cat([rows, 1000 * torch.randn(1, 64)]))
    assert error(with_large[:5], alone) < 0.02
    assert not Int8Linear(linear)(torch.zeros(1, 64)).sub(linear.bias).any()


def test_every_linear_layer_of_a_model_is_replaced_once():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Sequential(torch.nn.GELU(), torch.nn.Linear(8, 3)))
    rows = torch.randn(4, 8)
    expected = model(rows)
    quantize_linears(model)
    assert sum(isinstance(module, Int8Linear) for module in model.modules()) == 2
    assert_close(model(rows), expected, atol=0.05, rtol=0.1)
