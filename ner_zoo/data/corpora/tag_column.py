"""
Converts a column of tags to entities by conlleval's rules; tags that violate the tag scheme are counted, never refused.

The scheme only decides what counts as a repair (a stray `I-` is one in BIO, but not in IOB1). By default, the scheme
that best explains the first sentences of the file is used.
"""

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.tag_schemes import OUTSIDE, check_scheme, detect_scheme, entities_from_tags, ill_formed

PREFIXES = frozenset("BIMELSU")
# The number of tokens, in sentences with entities, that are kept to detect the scheme.
SAMPLE = 50_000


def is_tag(text: str) -> bool:
    """`O`, a bare prefix, or a prefix, a hyphen and a type."""
    return text == OUTSIDE or (text[:1] in PREFIXES and text[1:2] in ("", "-"))


class TagColumn:
    """
    file, repairs : for messages.
    scheme : one of `SCHEMES`, or `None` to detect it. With IO, bare types (`PERSON`) are read as `I-PERSON`.
    unknown : the tag of tokens without annotation.
    """

    def __init__(self, file: str, repairs: Repairs, scheme: str | None = None, unknown: str | None = None) -> None:
        self.scheme = check_scheme(scheme) if scheme else None
        self.unknown = unknown
        self._file = file
        self._repairs = repairs
        self._known: dict[str, str] = {OUTSIDE: OUTSIDE}
        self._seen = self._malformed = 0
        # Adjacent tags that are known to follow the scheme.
        self._legal: set[tuple[str, str]] = set()
        self._sample: list[tuple[list[str], int]] = []
        self._sample_size = 0

    def entities(self, tags: list[str], line: int) -> list[Entity]:
        """The entities of one sentence, whose first tag is on line `line`."""
        if tags.count(OUTSIDE) == len(tags):
            self._seen += len(tags)
            return []
        try:
            tags = [self._known[tag] for tag in tags]
            self._seen += len(tags)
        except KeyError:
            tags = [self._read(tag, line + offset) for offset, tag in enumerate(tags)]
        if tags.count(OUTSIDE) == len(tags):
            return []
        self._check(tags, line)
        return entities_from_tags(tags)

    def unknown_positions(self, tags: list[str]) -> tuple[int, ...]:
        if self.unknown is None or self.unknown not in tags:
            return ()
        return tuple(position for position, tag in enumerate(tags) if tag == self.unknown)

    def finish(self) -> None:
        """Counts what is still in the sample; to be called at the end of the file."""
        if self.scheme is None and self._sample:
            self.scheme = detect_scheme([tags for tags, _ in self._sample])
        for tags, line in self._sample:
            self._count_ill_formed(tags, line)
        self._sample = []

    def _read(self, tag: str, line: int) -> str:
        self._seen += 1
        known = self._known.get(tag)
        if known is not None:
            return known
        if tag == self.unknown:
            self._known[tag] = OUTSIDE
        elif is_tag(tag):
            self._known[tag] = tag
        elif self.scheme == "IO" and tag:
            self._known[tag] = "I-" + tag
        else:
            return self._repair(tag, line)
        return self._known[tag]

    def _repair(self, tag: str, line: int) -> str:
        """A malformed tag is treated as damaged and counts as O, unless most of the column is malformed."""
        self._malformed += 1
        if 2 * self._malformed > self._seen:
            raise ConfigurationError(
                f"{self._file}:{line} has {tag[:60]!r}, but a tag such as O or B-TYPE is expected. Check that "
                'tag_column is the column of entity tags; set scheme to "IO" if the column contains bare types.'
            )
        self._repairs.add("malformed tag read as O", f"{self._file}:{line}")
        return OUTSIDE

    def _check(self, tags: list[str], line: int) -> None:
        if self.scheme is not None:
            self._count_ill_formed(tags, line)
            return
        self._sample.append((tags, line))
        self._sample_size += len(tags)
        if self._sample_size >= SAMPLE:
            self.finish()

    def _count_ill_formed(self, tags: list[str], line: int) -> None:
        pairs = set(zip([OUTSIDE, *tags], [*tags, OUTSIDE]))
        if pairs <= self._legal:
            return
        assert self.scheme is not None
        wrong = ill_formed(tags, self.scheme)
        if not wrong:
            self._legal |= pairs
        for position in wrong:
            self._repairs.add(f"tag that does not follow the {self.scheme} scheme", f"{self._file}:{line + position}")
