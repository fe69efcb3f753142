"""
Selects the annotation of one annotator if a text has several.
"""

from typing import TypeVar

from allennlp.common.checks import ConfigurationError

Choice = TypeVar("Choice")


def of_annotator(found: list[tuple[str, Choice]], annotator: int | str | None, source: str) -> Choice | None:
    """
    From pairs of annotator and annotation, selects the only one, or the last one by `annotator`; `None` if that
    annotator made none.
    """
    if annotator is not None:
        own = [annotation for name, annotation in found if name == str(annotator)]
        return own[-1] if own else None
    if len(found) > 1:
        names = ", ".join(dict.fromkeys(name for name, _ in found))
        raise ConfigurationError(f"{source} has {len(found)} annotations, by {names}. Set `annotator` to one of them.")
    return found[0][1] if found else None
