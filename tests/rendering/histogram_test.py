from collections import Counter

from ner_zoo.rendering.histogram import BAR_WIDTH, MOST_ROWS, histogram, ranges


def test_bars_are_as_long_as_their_share_of_the_largest():
    lines = histogram("Types", [("PER", 40), ("LOC", 20), ("rare", 0)]).split("\n")
    bars = [len(line) - len(line.rstrip("█#")) for line in lines]
    assert bars == [0, BAR_WIDTH, BAR_WIDTH // 2, 0]
    assert lines[0] == "Types (60)" and "66.7 %" in lines[1]


def test_a_count_that_is_not_zero_has_a_bar():
    assert histogram("Tags", [("O", 10**6), ("B-PER", 1)])[-1] in "█#"


def test_long_lists_end_in_a_sum():
    text = histogram("Types", [(f"T{number}", 2) for number in range(MOST_ROWS + 3)])
    assert text.endswith("… and 3 more with 6")


def test_no_counts_have_no_histogram():
    assert histogram("Relation types", []) == ""
    assert ranges(Counter()) == []


def test_ranges_double_and_hold_every_number_once():
    counts = Counter(dict.fromkeys(range(1, 40), 1))
    assert ranges(counts) == [
        ("1", 1),
        ("2", 1),
        ("3", 1),
        ("4", 1),
        ("5–8", 4),
        ("9–16", 8),
        ("17–32", 16),
        ("33–64", 7),
    ]
    assert ranges(Counter({0: 2, 2: 1})) == [("0", 2), ("1", 0), ("2", 1)]
