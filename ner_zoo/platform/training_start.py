"""
Checks a config before training starts, reports missing files with the config key that names them, and sets the number
of threads.
"""

import contextlib
import functools
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.errors import FILE_ERRORS

if TYPE_CHECKING:
    from allennlp.common import Params


@contextlib.contextmanager
def naming_the_key_of_a_path(params: "Params") -> Iterator[None]:
    """Adds the config key that led to a missing file to the error."""
    values = {key: value for key, value in params.as_flat_dict().items() if isinstance(value, str) and value}
    try:
        yield
    except FILE_ERRORS as error:
        keys = [key for key, value in values.items() if value in str(error)]
        if not keys:
            raise
        key = max(keys, key=lambda key: len(values[key]))
        raise ConfigurationError(
            f"{error}\nThe path is the value of {key} in the config. Put the file there, or override the path: "
            f'-o \'{{"{key}": "..."}}\''
        ) from error


def check_before_training(train: ModuleType) -> None:
    original = train.train_model

    @functools.wraps(original)
    def train_model(params: "Params", *arguments: Any, **options: Any) -> Any:
        from ner_zoo.platform.devices import check_devices
        from ner_zoo.platform.strict_config import check_experiment
        from ner_zoo.platform.threads import threads_for, torch_threads

        check_experiment(params)
        check_devices(params)
        with naming_the_key_of_a_path(params), torch_threads(threads_for([params.as_dict(quiet=True)])):
            return original(params, *arguments, **options)

    train.train_model = train_model  # type: ignore[attr-defined]
