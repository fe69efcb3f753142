import io

from ner_zoo.bulk.progress import Progress


def test_rates_and_the_time_left_are_reported() -> None:
    now = [0.0]
    progress = Progress(done_before=500, stream=io.StringIO(), clock=lambda: now[0])
    now[0] = 10.0
    progress.add(rows=100, words=2000, errors=2, share=0.25)
    assert progress.line() == "600 rows  10 rows/s  200 words/s  25%  ETA 0:03:00  2 errors"


def test_a_file_gets_a_line_now_and_then() -> None:
    now, stream = [0.0], io.StringIO()
    progress = Progress(stream=stream, clock=lambda: now[0])
    for second in range(1, 31):
        now[0] = float(second)
        progress.add(1, 1, 0, second / 30)
    assert len(stream.getvalue().splitlines()) == 3


def test_one_row_is_one_row() -> None:
    progress = Progress(stream=io.StringIO())
    progress.add(rows=1, words=3, errors=1, share=1.0)
    assert progress.line().startswith("1 row  ") and progress.line().endswith("  1 error")
