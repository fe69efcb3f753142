"""Near-duplicate sentences form one group."""

from ner_zoo.data.near_duplicates import groups_of_near_duplicates


def groups(*texts: str) -> list[int]:
    return groups_of_near_duplicates([text.split() for text in texts])


def test_case_and_numbers_make_no_difference():
    assert groups("Ann paid 12 crowns today", "Bo left", "ann PAID 97 crowns Today") == [0, 1, 0]


def test_a_word_more_makes_a_near_duplicate_of_a_long_sentence():
    long = "the ferry to the islands leaves at noon from the old pier behind the market hall"
    assert groups(long, long + " again", "the ferry to the islands leaves") == [0, 0, 2]


def test_a_group_may_be_joined_by_a_sentence_between_two_others():
    words = [f"w{number}" for number in range(60)]
    first, between, last = words[:48], words[4:52], words[8:56]
    assert groups_of_near_duplicates([first, between, last]) == [0, 0, 0]


def test_empty_sentences_are_one_group_and_no_sentences_none():
    assert groups_of_near_duplicates([]) == []
    assert groups("", "a", "") == [0, 1, 0]


def test_sentences_of_other_words_are_alone():
    texts = [f"{name} sails from port {number} of {place}" for name in ("Ann", "Bo") for number, place in ((1, "Ys"),)]
    assert groups(*texts, "nobody knows") == [0, 1, 2]
