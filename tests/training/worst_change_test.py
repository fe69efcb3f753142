from math import inf, nan

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.training.worst_change import in_torch, worst_change


def parts(dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    """Four sentences: one as usual, one with padding, one without a gradient, one with an infinite gradient."""
    torch.manual_seed(2)
    vectors, gradients = torch.randn(2, 4, 7, 5, dtype=dtype)
    gradients[1, 4:] = 0.0
    gradients[2] = 0.0
    gradients[3, 2, 1] = inf
    return vectors, gradients


def test_a_change_by_hand():
    vectors = torch.tensor([[[1.0, 2.0], [2.0, 4.0], [9.0, 9.0]]])
    gradients = torch.tensor([[[0.0, 3.0], [4.0, 0.0], [0.0, 0.0]]])
    assert_close(worst_change(vectors, gradients, 0.5, False), torch.tensor([[[0.0, 0.3], [0.4, 0.0], [0.0, 0.0]]]))
    # The length of the first two vectors is 5, and the third has no gradient.
    assert_close(worst_change(vectors, gradients, 0.5, True), torch.tensor([[[0.0, 1.5], [2.0, 0.0], [0.0, 0.0]]]))


@pytest.mark.parametrize("is_relative", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_loop_and_torch_agree(dtype, is_relative):
    vectors, gradients = parts(dtype)
    found = worst_change(vectors, gradients, 0.3, is_relative)
    assert_close(found, in_torch(vectors, gradients, 0.3, is_relative))
    assert found.dtype == dtype and found[0].any() and found[1, :4].any()
    assert not found[1, 4:].any() and not found[2:].any()


def test_a_gradient_that_is_not_a_number_changes_nothing():
    vectors, gradients = parts(torch.float32)
    gradients[0, 0, 0] = nan
    for verb in (worst_change, in_torch):
        assert not verb(vectors, gradients, 0.3, True)[0].any()


def test_tensors_in_any_layout_and_without_vectors_are_accepted():
    vectors, gradients = parts(torch.float64)
    assert_close(
        worst_change(vectors.transpose(0, 1), gradients.transpose(0, 1), 0.3, True),
        in_torch(vectors.transpose(0, 1), gradients.transpose(0, 1), 0.3, True),
    )
    assert worst_change(vectors[:, :0], gradients[:, :0], 0.3, True).shape == (4, 0, 5)
