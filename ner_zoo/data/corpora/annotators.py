"""
One of several annotations of a text: that of the annotator who is asked for.
"""

from typing import TypeVar

from allennlp.common.checks import ConfigurationError

Choice = TypeVar("Choice")


def of_annotator(found: list[tuple[str, Choice]], annotator: int | str | None, source: str) -> Choice | None:
    """
    Of annotations, each with who made it, the only one, or that by `annotator`, the last if there are several of that
    person's; None if that person made none.
    """
    if annotator is not None:
        own = [annotation for name, annotation in found if name == str(annotator)]
        return own[-1] if own else None
    if len(found) > 1:
        names = ", ".join(dict.fromkeys(name for name, _ in found))
        raise ConfigurationError(
            f"{source} has {len(found)} annotations, by {names}. Say whose to read: set `annotator` to one of them."
        )
    return found[0][1] if found else None
