import pytest
import torch

from ner_zoo.modules.range_max import range_argmax


@pytest.mark.parametrize("rows", [1, 2, 7, 40])
def test_it_is_the_row_of_the_maximum_over_each_range(rows):
    torch.manual_seed(0)
    values = torch.randn(rows, 3)
    ranges = [(first, last) for first in range(rows) for last in range(first + 1, rows + 1)]
    first, last = torch.tensor(ranges).unbind(1)
    expected = torch.stack([values[i:j].argmax(0) + i for i, j in ranges])
    assert torch.equal(range_argmax(values, first, last), expected)


def test_an_empty_range_has_its_first_row():
    place = torch.tensor([0, 2])
    assert range_argmax(torch.randn(4, 1), place, place - 1).tolist() == [[0], [2]]


def test_no_ranges_have_no_maxima():
    nothing = torch.zeros(0, dtype=torch.long)
    assert range_argmax(torch.randn(4, 3), nothing, nothing).shape == (0, 3)
