import shlex
import tomllib
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from packaging.requirements import Requirement

from ner_zoo.platform.extras import install_command, require

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("extra", ["serve", "bulk", "search"])
def test_the_advice_names_every_package_of_an_extra_so_that_pip_finds_it_from_anywhere(extra):
    words = shlex.split(install_command(extra))
    assert words[:2] == ["pip", "install"]
    advised = {Requirement(word).name for word in words[2:]}
    assert advised == {Requirement(one).name for one in PROJECT["optional-dependencies"][extra]}


def test_a_package_that_is_not_installed_is_an_error_that_says_what_to_install():
    require("torch", "Training", "serve")
    with pytest.raises(ConfigurationError, match="Parquet needs packages .* pip install .*pyarrow"):
        require("no_such_package_here", "Parquet", "bulk")
