import pytest
import torch
from torch.testing import assert_close

from ner_zoo.modules.range_max import range_max


@pytest.mark.parametrize("rows", [1, 2, 7, 40])
def test_it_is_the_maximum_over_each_range(rows):
    torch.manual_seed(0)
    values = torch.randn(rows, 3)
    ranges = [(first, last) for first in range(rows) for last in range(first + 1, rows + 1)]
    first, last = torch.tensor(ranges).unbind(1)
    expected = torch.stack([values[i:j].amax(0) for i, j in ranges])
    assert torch.equal(range_max(values, first, last), expected)


def test_its_gradient_goes_to_the_largest_row():
    values = torch.randn(9, 2, dtype=torch.float64, requires_grad=True)
    first, last = torch.tensor([0, 3, 3, 8]), torch.tensor([9, 8, 4, 9])
    assert torch.autograd.gradcheck(lambda v: range_max(v, first, last), values)


def test_no_ranges_have_no_maxima():
    nothing = torch.zeros(0, dtype=torch.long)
    assert_close(range_max(torch.randn(4, 3), nothing, nothing), torch.zeros(0, 3))
