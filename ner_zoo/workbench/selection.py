"""
Selects from millions of scored rows, in memory that depends only on the number of requested rows.

One pass keeps the best rows for each type in a bounded heap, and a random sample in another; of rows that differ only
in digits, case or punctuation, one is kept. Then near-duplicates are removed, and the highest row is selected
repeatedly, where the score of a row is discounted by the number of selected rows of its type:

    score / (1 + selected rows of its type) ** balance
"""

import hashlib
import heapq
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from allennlp.common.checks import ConfigurationError
from more_itertools import unique_everseen

# How many times the requested number of rows to keep per type, to have enough left without near-duplicates.
SPARE = 4


class Candidate(NamedTuple):
    """
    score : higher is better.
    row : index in the input, from 0.
    type : the type about which the model is least certain.
    key : equal for rows with the same content.
    """

    score: float
    row: int
    type: str
    key: str


class Heap:
    """The `size` highest candidates, with unique keys."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._heap: list[tuple[float, int, Candidate]] = []
        self._keys: set[str] = set()

    def add(self, rank: float, candidate: Candidate) -> None:
        if candidate.key in self._keys or self.size == 0:
            return
        entry = rank, -candidate.row, candidate  # ties: the first row wins
        if len(self._heap) < self.size:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            self._keys.discard(heapq.heapreplace(self._heap, entry)[2].key)
        else:
            return
        self._keys.add(candidate.key)

    def best_first(self) -> list[Candidate]:
        return [candidate for _, _, candidate in sorted(self._heap, reverse=True)]


@dataclass(frozen=True)
class SelectionOptions:
    """
    count : number of rows.
    random_share : share of rows drawn at random, regardless of their score.
    balance : how much types are balanced: 0 not at all, 1 strongly.
    seed : random seed.
    """

    count: int
    random_share: float = 0.0
    balance: float = 0.0
    seed: int = 13370

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ConfigurationError(f"-n is {self.count}. Pass the number of rows to suggest, 1 or more.")
        if not 0.0 <= self.random_share <= 1.0:
            raise ConfigurationError(f"--random is {self.random_share}. Pass a share from 0 to 1.")
        if not 0.0 <= self.balance <= 1.0:
            raise ConfigurationError(f"--balance is {self.balance}. Pass a number from 0 (no balancing) to 1.")

    @property
    def random_count(self) -> int:
        return round(self.count * self.random_share)


class Chosen(NamedTuple):
    candidate: Candidate
    is_random: bool


class Pool:
    """The candidates kept from the rows seen so far."""

    def __init__(self, selection: SelectionOptions) -> None:
        self.selection = selection
        self.drawn = Heap(SPARE * selection.random_count)
        wanted = selection.count - selection.random_count
        self.by_type: dict[str, Heap] = defaultdict(lambda: Heap(SPARE * wanted))

    def add(self, candidate: Candidate) -> None:
        self.by_type[candidate.type].add(candidate.score, candidate)
        self.drawn.add(self._draw(candidate.row), candidate)

    def _draw(self, row: int) -> float:
        """A uniform number in [0, 1) that is the same for a row in every run."""
        digest = hashlib.blake2b(f"{self.selection.seed}|{row}".encode(), digest_size=7).digest()
        return int.from_bytes(digest, "big") / 2**56

    def rows(self) -> list[int]:
        """All rows that may be selected, in order."""
        heaps = [self.drawn, *self.by_type.values()]
        return sorted({candidate.row for heap in heaps for candidate in heap.best_first()})

    def choose(self, group: Mapping[int, int]) -> list[Chosen]:
        """The best rows, best first, then random ones. `group` is equal for near-duplicates."""
        best = _balanced(self.by_type, self.selection, group)
        taken = {group[candidate.row] for candidate in best}
        other = (candidate for candidate in self.drawn.best_first() if group[candidate.row] not in taken)
        distinct = unique_everseen(other, key=lambda candidate: group[candidate.row])
        drawn = islice(distinct, self.selection.random_count)
        return [*(Chosen(candidate, False) for candidate in best), *(Chosen(candidate, True) for candidate in drawn)]


def _balanced(by_type: Mapping[str, Heap], selection: SelectionOptions, group: Mapping[int, int]) -> list[Candidate]:
    rest = {type: heap.best_first()[::-1] for type, heap in by_type.items()}
    counts: Counter[str] = Counter()
    taken: set[int] = set()
    found: list[Candidate] = []
    while len(found) < selection.count - selection.random_count:
        for type, some in list(rest.items()):
            while some and group[some[-1].row] in taken:
                some.pop()
            if not some:
                del rest[type]
        if not rest:
            break
        type = max(rest, key=lambda type: (rest[type][-1].score / (1 + counts[type]) ** selection.balance, type))
        candidate = rest[type].pop()
        counts[type] += 1
        taken.add(group[candidate.row])
        found.append(candidate)
    return found
