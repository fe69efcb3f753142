"""
AllenNLP's error for what a user can fix, without AllenNLP: parts that run where it is not installed raise the same one.
"""

from types import ModuleType


class ConfigurationError(Exception):
    """A wrong config, file or input. The message says what was found and what to change."""

    def __init__(self, message: str) -> None:
        super().__init__()
        self.message = message

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return type(self), (self.message,)

    def __str__(self) -> str:
        return self.message


def share_error(checks: ModuleType) -> None:
    """AllenNLP raises this class too, so that code that catches one catches the other."""
    checks.ConfigurationError = ConfigurationError  # type: ignore[attr-defined]
