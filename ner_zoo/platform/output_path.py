"""
Refuses an output file that is also read: writing it would destroy the input.
"""

import os
from collections.abc import Iterable

from ner_zoo.platform.configuration_error import ConfigurationError


def refuse_input_as_output(output: str, inputs: Iterable[str], option: str = "--output") -> None:
    """option : the option that names the output, for the message."""
    if os.path.exists(output) and any(os.path.exists(path) and os.path.samefile(path, output) for path in inputs):
        raise ConfigurationError(f"{output} is also an input. Pass a different {option}.")
