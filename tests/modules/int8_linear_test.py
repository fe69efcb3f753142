import copy
import math
import pickle

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.modules.int8_linear import DynamicProduct, Int8Linear, OneDnnProduct, quantize_linears


def error(found, expected):
    return float((found - expected).detach().norm() / expected.detach().norm())


def test_it_is_nearly_the_layer_in_float():
    torch.manual_seed(0)
    for linear in (torch.nn.Linear(64, 32), torch.nn.Linear(64, 32, bias=False)):
        rows = torch.randn(2, 5, 64)
        assert 1e-4 < error(Int8Linear(linear)(rows), linear(rows)) < 0.02


@pytest.mark.parametrize("product", [OneDnnProduct, DynamicProduct])
def test_each_library_gives_nearly_the_product_in_float(product):
    torch.manual_seed(0)
    weight, bias, rows = torch.randn(32, 64), torch.randn(32), torch.randn(5, 64)
    assert 1e-4 < error(product(weight, bias)(rows), rows @ weight.t() + bias) < 0.02
    assert product(weight, bias)(rows[:0]).shape == (0, 32)
    # The extremes of both: sums of products with 8 bits must not overflow.
    ones, signs = torch.ones(2, 64), torch.ones(2, 64)
    signs[:, 0] = -1
    assert_close(product(ones, torch.zeros(2))(signs), torch.full((2, 2), 62.0), rtol=0.02, atol=0)


def test_a_layer_can_be_copied_and_pickled():
    layer, rows = Int8Linear(torch.nn.Linear(64, 32)), torch.randn(5, 64)
    for copied in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert_close(copied(rows), layer(rows), rtol=0, atol=0)


def test_a_value_that_is_not_a_number_is_not_hidden():
    rows = torch.ones(3, 64)
    rows[1, 5] = math.nan
    found = Int8Linear(torch.nn.Linear(64, 32))(rows)
    assert found[1].isnan().all() and found[[0, 2]].isfinite().all()


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
