import logging

from ner_zoo.data.repairs import Repairs


def test_repairs_remember_counts_and_the_first_places():
    repairs = Repairs(examples=2)
    for line in range(1, 5):
        repairs.add("stray tag", f"a:{line}")
    repairs.add("stray tag", "b:1", times=3)
    repairs.add("empty token", "b:2")
    assert repairs.counts == {"stray tag": 7, "empty token": 1}
    assert repairs.where == {"stray tag": ["a:1", "a:2"], "empty token": ["b:2"]}


def test_repairs_are_reported_with_count_and_places(caplog):
    repairs = Repairs()
    repairs.add("stray tag", "a:1", times=5)
    with caplog.at_level(logging.WARNING):
        repairs.report("a")
    assert "a: stray tag, 5 times (first at a:1)" in caplog.text
