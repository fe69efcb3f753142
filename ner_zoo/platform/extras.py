"""
What to install for a part that needs more than the required packages.

ner_zoo itself may have come from a clone or a wheel, so the advice names the packages, which pip finds from anywhere.
"""

import re
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec

from ner_zoo.platform.configuration_error import ConfigurationError


def missing_packages(feature: str, extra: str) -> ConfigurationError:
    """The error to raise where the packages of a feature, which are those of an extra, are not installed."""
    command = install_command(extra)
    return ConfigurationError(f"{feature} needs packages that are not installed. Install them: {command}")


def require(package: str, feature: str, extra: str) -> None:
    """Refuses a feature whose package is not installed, before any work is done."""
    if find_spec(package) is None:
        raise missing_packages(feature, extra)


def install_command(extra: str) -> str:
    """`pip install` with every package of an extra, as `pyproject.toml` has them."""
    try:
        wanted = requires("ner_zoo") or []
    except PackageNotFoundError:  # run from the source tree
        return f"pip install '.[{extra}]'"
    found = [line.partition(";")[0].strip() for line in wanted if re.search(rf"extra == ['\"]{extra}['\"]", line)]
    return "pip install " + " ".join(f"'{package}'" for package in found)
