"""Applies the guard whenever something is built from the config of an archive, even later on."""

import contextlib
import functools
from types import ModuleType
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.common.params import Params

from ner_zoo.platform.archive_guard import Guard, building_guard, is_opening


class ArchiveParams(Params):
    """A config, or a part of one, that comes from an archive."""

    def __init__(self, params: Any, history: str = "", guard: Guard | None = None) -> None:
        super().__init__(params, history)
        self.guard = guard or Guard("an archive")

    def _check_is_dict(self, new_history: str, value: Any) -> Any:
        checked = super()._check_is_dict(new_history, value)
        return ArchiveParams(checked.params, checked.history, self.guard) if type(checked) is Params else checked


def active(guard: Guard | None) -> Any:
    return guard.active() if guard is not None else contextlib.nullcontext()


def guard_what_is_built(from_params: ModuleType) -> None:
    original = from_params.FromParams.from_params.__func__

    @functools.wraps(original)
    def build(
        cls: Any, params: Any, constructor_to_call: Any = None, constructor_to_inspect: Any = None, **extras: Any
    ) -> Any:
        guard = params.guard if isinstance(params, ArchiveParams) else None
        try:
            with active(guard):
                return original(cls, params, constructor_to_call, constructor_to_inspect, **extras)
        except Exception as error:
            # While an archive is being opened, all errors are reported in one place.
            if guard is None or is_opening() or isinstance(error, ConfigurationError):
                raise
            from ner_zoo.platform.archive_problems import problem

            raise ConfigurationError(problem(error, guard.archive)) from error

    from_params.FromParams.from_params = classmethod(build)


def guard_what_is_built_later(lazy: ModuleType) -> None:
    """Makes a `Lazy` part remember the config it belongs to."""
    original_init, original_construct = lazy.Lazy.__init__, lazy.Lazy.construct

    @functools.wraps(original_init)
    def init(self: Any, *arguments: Any, **options: Any) -> None:
        original_init(self, *arguments, **options)
        self._guard = building_guard()

    @functools.wraps(original_construct)
    def construct(self: Any, **options: Any) -> Any:
        with active(getattr(self, "_guard", None)):
            return original_construct(self, **options)

    lazy.Lazy.__init__, lazy.Lazy.construct = init, construct
