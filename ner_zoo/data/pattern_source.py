r"""
Weak labels from regular expressions on the text of a sentence, in the syntax of the package `regex`:

    {"type": "patterns", "patterns": {"DATE": "\\d{4}-\\d\\d-\\d\\d", "PER": "Dr\\. (?P<entity>\\p{Lu}\\w+)"}}

If a pattern has a group named `entity`, that group is the entity; otherwise the whole match is.
"""

from collections.abc import Sequence

import regex
from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.weak_source import WeakSource, spaced_text

GROUP = "entity"
# A pattern that takes longer on one sentence is assumed to backtrack catastrophically.
SECONDS = 5.0


@WeakSource.register("patterns")
class Patterns(WeakSource):
    """
    patterns : for each type one or several regular expressions.
    ignore_case : whether to ignore case.
    priority : as for all sources.
    """

    def __init__(self, patterns: dict[str, str | list[str]], ignore_case: bool = False, priority: int = 0) -> None:
        super().__init__(priority)
        flags = regex.VERSION1 | (regex.IGNORECASE if ignore_case else 0)
        self.patterns = [
            (type, _compiled(type, pattern, flags))
            for type, some in patterns.items()
            for pattern in ([some] if isinstance(some, str) else some)
        ]

    @overrides
    def find(self, sentences: Sequence[Sentence], repairs: Repairs) -> list[list[Entity]]:
        return [self._found(sentence, repairs) for sentence in sentences]

    def _found(self, sentence: Sentence, repairs: Repairs) -> list[Entity]:
        spaced = spaced_text(sentence)
        found = []
        for type, pattern in self.patterns:
            try:
                spans = [
                    match.span(GROUP if GROUP in pattern.groupindex else 0)
                    for match in pattern.finditer(spaced.text, timeout=SECONDS)
                ]
            except TimeoutError:
                raise ConfigurationError(
                    f"The pattern {pattern.pattern!r} of {type} takes more than {SECONDS:.0f} s for the sentence at "
                    f"{sentence.source}. Rewrite it without nested repetitions."
                ) from None
            for start, end in spans:
                entity = spaced.entity(type, start, end) if start < end else None
                if entity is not None:
                    found.append(entity)
                elif start < end:
                    repairs.add("pattern match that splits a token left out", sentence.source)
        return found


def _compiled(type: str, pattern: str, flags: int) -> "regex.Pattern[str]":
    try:
        return regex.compile(pattern, flags)
    except regex.error as error:
        raise ConfigurationError(
            f"The pattern {pattern!r} of {type} is not a valid regular expression: {error}."
        ) from None
