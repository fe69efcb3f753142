"""
AllenNLP's `ConfigurationError`, available without AllenNLP, for code that runs where it is not installed.
"""

from types import ModuleType


class ConfigurationError(Exception):
    """An invalid config, file or input. The message says what was found and what to change."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def share_error(checks: ModuleType) -> None:
    """Makes AllenNLP raise this class too, so that `except` clauses for either catch both."""
    checks.ConfigurationError = ConfigurationError  # type: ignore[attr-defined]
