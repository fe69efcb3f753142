r"""
Weak labels from regular expressions on the text of a sentence, in the syntax of the package `regex`:

    {"type": "patterns", "patterns": {"DATE": "\\d{4}-\\d\\d-\\d\\d", "PER": "Dr\\. (?P<entity>\\p{Lu}\\w+)"}}

Where a pattern has a group named `entity`, that group is the entity; else the whole match is.
"""

from collections.abc import Sequence

import regex
from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.weak_source import WeakSource, spaced_text

GROUP = "entity"
# A pattern that takes longer on one sentence goes back and forth without end.
SECONDS = 5.0


@WeakSource.register("patterns")
class Patterns(WeakSource):
    """
    patterns : for each type a regular expression, or several.
    ignore_case : whether case does not matter.
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
                    f"{sentence.source}. Write it without repetitions inside repetitions."
                ) from None
            for start, end in spans:
                entity = spaced.entity(type, start, end) if start < end else None
                if entity is not None:
                    found.append(entity)
                elif start < end:
                    repairs.add("match of a pattern that cuts a token left out", sentence.source)
        return found


def _compiled(type: str, pattern: str, flags: int) -> "regex.Pattern[str]":
    try:
        return regex.compile(pattern, flags)
    except regex.error as error:
        raise ConfigurationError(f"The pattern {pattern!r} of {type} is not a regular expression: {error}.") from None
