import numpy as np
import pytest
import torch

from ner_zoo.modules.small_products import WIDTH, multiply, packed


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("columns", [1, 16, 40])
@pytest.mark.parametrize("count", range(14))
def test_the_product_is_that_of_torch_and_other_rows_are_unchanged(dtype, columns, count):
    generator = torch.Generator().manual_seed(count)
    left = torch.randn(14, 5, generator=generator, dtype=dtype)
    matrix = torch.randn(5, columns, generator=generator, dtype=dtype)
    panels = packed(matrix)
    out = np.full((14, len(panels) * WIDTH), 7.0, dtype=left.numpy().dtype)
    multiply(left.numpy(), count, panels.numpy(), out)
    torch.testing.assert_close(torch.from_numpy(out[:count, :columns]), left[:count] @ matrix)
    assert not out[:count, columns:].any()
    assert (out[count:] == 7.0).all()
