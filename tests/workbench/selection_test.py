import random
from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.workbench.selection import SPARE, Candidate, Heap, Pool, SelectionOptions


def candidates(number: int, types: str = "AB", seed: int = 0) -> list[Candidate]:
    draw = random.Random(seed)
    return [Candidate(draw.random(), row, draw.choice(types), str(row)) for row in range(number)]


def pool_of(selection: SelectionOptions, some: list[Candidate]) -> Pool:
    pool = Pool(selection)
    for candidate in some:
        pool.add(candidate)
    return pool


def apart(some: list[Candidate]) -> dict[int, int]:
    return {candidate.row: candidate.row for candidate in some}


def test_a_heap_keeps_the_highest_and_of_equal_keys_one():
    heap = Heap(5)
    some = candidates(100)
    for candidate in some:
        heap.add(candidate.score, candidate)
        heap.add(candidate.score, candidate._replace(row=1000 + candidate.row))
    assert heap.best_first() == sorted(some, reverse=True)[:5]


def test_a_pool_holds_no_more_than_it_needs_however_many_rows_there_are():
    selection = SelectionOptions(10, random_share=0.2)
    for number in (1_000, 20_000):
        rows = pool_of(selection, candidates(number, "ABC")).rows()
        assert len(rows) <= SPARE * (3 * 8 + 2)


def test_without_balance_the_highest_scores_are_chosen():
    some = candidates(200)
    chosen = pool_of(SelectionOptions(20, random_share=0.0, balance=0.0), some).choose(apart(some))
    assert [one.candidate for one in chosen] == sorted(some, reverse=True)[:20]
    assert not any(one.is_random for one in chosen)


def test_balance_brings_in_a_type_whose_scores_are_lower():
    some = [Candidate(1.0 + row / 1000, row, "common", str(row)) for row in range(100)]
    some += [Candidate(0.5 + row / 1000, row, "rare", str(row)) for row in range(100, 130)]
    counts = {}
    for balance in (0.0, 0.5, 1.0):
        chosen = pool_of(SelectionOptions(40, 0.0, balance), some).choose(apart(some))
        counts[balance] = Counter(one.candidate.type for one in chosen)
    assert counts[0.0]["rare"] == 0 < counts[0.5]["rare"] < counts[1.0]["rare"] < 40


def test_one_of_each_group_of_near_duplicates_is_chosen():
    some = candidates(100)
    group = {candidate.row: candidate.row // 10 for candidate in some}
    chosen = pool_of(SelectionOptions(50, random_share=0.2), some).choose(group)
    assert sorted(group[one.candidate.row] for one in chosen) == list(range(10))


def test_random_rows_are_a_share_and_depend_on_the_seed_alone():
    some = candidates(500)
    drawn = []
    for seed in (1, 1, 2):
        chosen = pool_of(SelectionOptions(50, random_share=0.2, seed=seed), some).choose(apart(some))
        drawn.append([one.candidate.row for one in chosen if one.is_random])
    assert len(drawn[0]) == 10 and drawn[0] == drawn[1] != drawn[2]
    everything = pool_of(SelectionOptions(50, random_share=1.0), some).choose(apart(some))
    assert len(everything) == 50 and all(one.is_random for one in everything)


@pytest.mark.parametrize("wrong", [{"count": 0}, {"count": 1, "random_share": 1.5}, {"count": 1, "balance": -1}])
def test_invalid_options_are_refused(wrong):
    with pytest.raises(ConfigurationError):
        SelectionOptions(**wrong)
