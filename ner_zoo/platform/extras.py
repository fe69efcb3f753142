"""
Tells users which packages to install for an optional feature.

ner_zoo may be installed from a clone or a wheel, so the message names the packages themselves, which pip can always
find.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec

from ner_zoo.platform.configuration_error import ConfigurationError


def missing_packages(feature: str, extra: str) -> ConfigurationError:
    """The error for a feature whose extra packages are not installed."""
    command = install_command(extra)
    return ConfigurationError(f"{feature} needs packages that are not installed. Run: {command}")


def require(package: str, feature: str, extra: str) -> None:
    """Checks that the package for a feature is installed, before any work is done."""
    if find_spec(package) is None:
        raise missing_packages(feature, extra)


def install_command(extra: str) -> str:
    """The `pip install` command with every package of an extra from `pyproject.toml`."""
    try:
        wanted = requires("ner_zoo") or []
    except PackageNotFoundError:  # run from the source tree
        return f"pip install '.[{extra}]'"
    found = [line.partition(";")[0].strip() for line in wanted if re.search(rf"extra == ['\"]{extra}['\"]", line)]
    return "pip install " + " ".join(f"'{package}'" for package in found or [f"ner_zoo[{extra}]"])


def installed_versions(packages: Iterable[str]) -> dict[str, str]:
    """The versions of those packages that are installed."""
    found = {}
    for name in packages:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found
