import logging

from ner_zoo.service.log_limit import MOST, SECONDS, RepeatLimit


def record(message: str, level: int = logging.WARNING) -> logging.LogRecord:
    return logging.LogRecord("a", level, __file__, 1, message, (), None)


def test_warnings_that_repeat_pass_a_few_times_and_are_counted() -> None:
    now = 0.0
    limit = RepeatLimit(lambda: now)
    assert [limit.filter(record("again")) for _ in range(MOST + 20)] == [True] * MOST + [False] * 20
    assert limit.filter(record("something else"))
    now = SECONDS
    later = record("again")
    assert limit.filter(later) and later.fields == {"left_out": 20}  # type: ignore[attr-defined]
    assert limit.filter(record("again"))


def test_records_below_warning_always_pass() -> None:
    limit = RepeatLimit()
    assert all(limit.filter(record("request", logging.INFO)) for _ in range(1000))
