"""Clusters that do not exist: reported within seconds."""

import time

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.ray_cluster import start_ray


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_a_cluster_that_does_not_answer_is_reported_at_once(address: str) -> None:
    start = time.monotonic()
    with pytest.raises(ConfigurationError, match=r"The Ray cluster .*127.0.0.1:1 cannot be reached: .*\nRun"):
        start_ray(1, address)
    assert time.monotonic() - start < 60
