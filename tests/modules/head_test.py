"""Invalid temperatures are refused."""

from math import inf, nan

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.modules.head import check_temperature


@pytest.mark.parametrize("temperature", [0.0, -1.0, inf, nan])
def test_a_temperature_is_above_0_and_finite(temperature):
    with pytest.raises(ConfigurationError, match="above 0"):
        check_temperature(temperature)


def test_a_temperature_may_be_below_1():
    assert check_temperature(0.5) == 0.5
